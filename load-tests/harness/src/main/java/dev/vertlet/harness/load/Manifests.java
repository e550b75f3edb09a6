package dev.vertlet.harness.load;

import dev.vertlet.configsync.ConfigAnnotations;
import dev.vertlet.harness.scenario.Placement;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** What is posted for pods and Deployments. */
final class Manifests {
  /** Label of a Deployment's pods; its value is the Deployment's name. */
  static final String DEPLOYMENT = "vertlet.dev/load-deployment";

  /** Name of the ConfigMap that nodes run by, in the first namespace. */
  static final String CONFIG = "load-config";

  private static final String CONFIG_KEY = "kubelet";
  private static final String ANNOTATION = "vertlet.dev/load-update";

  private final LoadPlan plan;

  Manifests(LoadPlan plan) {
    this.plan = plan;
  }

  Buffer pod(int pod) {
    JsonObject spec = podSpec();
    if (plan.placement() == Placement.BOUND) {
      spec.put("nodeName", plan.nodeOf(pod))
          .put("tolerations", new JsonArray().add(new JsonObject().put("operator", "Exists")));
    } else {
      select(spec);
    }
    return object("v1", "Pod", plan.pod(pod), podLabels(plan.pod(pod)))
        .put("spec", spec)
        .toBuffer();
  }

  Buffer deployment(int number, int replicas) {
    String name = plan.deployment(number);
    JsonObject pod =
        new JsonObject()
            .put("metadata", new JsonObject().put("labels", podLabels(name).put(DEPLOYMENT, name)))
            .put("spec", select(podSpec()));
    JsonObject selector =
        new JsonObject().put("matchLabels", new JsonObject().put(DEPLOYMENT, name));
    return object("apps/v1", "Deployment", name, labels())
        .put(
            "spec",
            new JsonObject()
                .put("replicas", replicas)
                .put("selector", selector)
                .put("template", pod))
        .toBuffer();
  }

  /** A merge patch that changes an annotation. */
  Buffer update(int value) {
    JsonObject annotations = new JsonObject().put(ANNOTATION, Integer.toString(value));
    return new JsonObject()
        .put("metadata", new JsonObject().put("annotations", annotations))
        .toBuffer();
  }

  /** The nodes' ConfigMap; also a merge patch that makes it this one. */
  Buffer config(JsonObject kubelet) {
    String payload =
        new JsonObject()
            .put("kind", "KubeletConfiguration")
            .put("apiVersion", "kubelet.config.k8s.io/v1beta1")
            // as agents of load tests have it: they would end to run by another one
            .put("healthzPort", 0)
            .mergeIn(kubelet)
            .encode();
    return object("v1", "ConfigMap", CONFIG, labels())
        .put("data", new JsonObject().put(CONFIG_KEY, payload))
        .toBuffer();
  }

  /** A merge patch that assigns it to a node. */
  Buffer configSource() {
    String source = ConfigAnnotations.source(plan.namespaceOf(0), CONFIG, CONFIG_KEY).toString();
    JsonObject annotations = new JsonObject().put(ConfigAnnotations.SOURCE, source);
    return new JsonObject()
        .put("metadata", new JsonObject().put("annotations", annotations))
        .toBuffer();
  }

  /**
   * What the scenario asks for beside the usual ones: all but the last alike.
   *
   * @param owner value of the last
   */
  private JsonObject podLabels(String owner) {
    JsonObject labels = labels();
    int more = plan.scenario().labels();
    for (int i = 1; i <= more; i++) {
      labels.put("vertlet.dev/load-label-" + i, i == more ? owner : "value-" + i);
    }
    return labels;
  }

  private JsonObject labels() {
    return new JsonObject().put("app", plan.prefix()).put(LoadPlan.LABEL, plan.prefix());
  }

  private static JsonObject object(String version, String kind, String name, JsonObject labels) {
    return new JsonObject()
        .put("apiVersion", version)
        .put("kind", kind)
        .put("metadata", new JsonObject().put("name", name).put("labels", labels));
  }

  private JsonObject podSpec() {
    JsonArray containers = new JsonArray();
    for (int i = 0; i < plan.scenario().containers(); i++) {
      containers.add(
          new JsonObject()
              .put("name", i == 0 ? "main" : "main-" + i)
              .put("image", "registry.k8s.io/pause:3.10"));
    }
    return new JsonObject()
        .put("serviceAccountName", plan.serviceAccount())
        .put("automountServiceAccountToken", false)
        .put("terminationGracePeriodSeconds", plan.scenario().graceSeconds())
        .put("containers", containers);
  }

  /** Keeps them on the nodes of the plan. */
  private JsonObject select(JsonObject spec) {
    return spec.put("nodeSelector", new JsonObject().put(LoadPlan.LABEL, plan.prefix()));
  }
}
