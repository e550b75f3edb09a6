package dev.vertlet.harness.load;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** What is posted for one pod. */
final class PodManifest {
  private PodManifest() {}

  static Buffer of(LoadPlan plan, int pod) {
    JsonObject container =
        new JsonObject().put("name", "main").put("image", "registry.k8s.io/pause:3.10");
    JsonObject spec =
        new JsonObject()
            .put("serviceAccountName", plan.serviceAccount())
            .put("automountServiceAccountToken", false)
            .put("containers", new JsonArray().add(container));
    place(spec, plan, pod);
    return new JsonObject()
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put(
            "metadata",
            new JsonObject()
                .put("name", plan.pod(pod))
                .put("labels", new JsonObject().put("app", plan.prefix())))
        .put("spec", spec)
        .toBuffer();
  }

  private static void place(JsonObject spec, LoadPlan plan, int pod) {
    switch (plan.placement()) {
      case BOUND ->
          spec.put("nodeName", plan.nodeOf(pod))
              .put("tolerations", new JsonArray().add(new JsonObject().put("operator", "Exists")));
      case SCHEDULED ->
          spec.put("nodeSelector", new JsonObject().put(LoadPlan.LABEL, plan.prefix()));
    }
  }
}
