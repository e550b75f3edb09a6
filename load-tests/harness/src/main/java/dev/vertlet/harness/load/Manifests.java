package dev.vertlet.harness.load;

import dev.vertlet.configsync.ConfigAnnotations;
import dev.vertlet.harness.scenario.Placement;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Manifests of the load's objects. */
final class Manifests {
  /** Label of a Deployment's pods; its value is the Deployment's name. */
  static final String DEPLOYMENT = "vertlet.dev/load-deployment";

  /** Name of the nodes' ConfigMap, in the first namespace. */
  static final String CONFIG = "load-config";

  private static final String CONFIG_KEY = "kubelet";
  private static final String ANNOTATION = "vertlet.dev/load-update";

  private final LoadPlan plan;

  Manifests(LoadPlan plan) {
    this.plan = plan;
  }

  Buffer pod(int pod) {
    JsonObject spec = podSpec(pod);
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
            .put("spec", select(podSpec(0)));
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

  /** Merge patch that changes an annotation. */
  Buffer update(int value) {
    JsonObject annotations = new JsonObject().put(ANNOTATION, Integer.toString(value));
    return new JsonObject()
        .put("metadata", new JsonObject().put("annotations", annotations))
        .toBuffer();
  }

  /** ConfigMap of the nodes; also serves as the merge patch that updates it. */
  Buffer config(JsonObject kubelet) {
    String payload =
        new JsonObject()
            .put("kind", "KubeletConfiguration")
            .put("apiVersion", "kubelet.config.k8s.io/v1beta1")
            // as in the configuration of load tests: another value makes the agent exit
            .put("healthzPort", 0)
            .mergeIn(kubelet)
            .encode();
    return object("v1", "ConfigMap", CONFIG, labels())
        .put("data", new JsonObject().put(CONFIG_KEY, payload))
        .toBuffer();
  }

  /** Merge patch that assigns the ConfigMap to a node. */
  Buffer configSource() {
    String source = ConfigAnnotations.source(plan.namespaceOf(0), CONFIG, CONFIG_KEY).toString();
    JsonObject annotations = new JsonObject().put(ConfigAnnotations.SOURCE, source);
    return new JsonObject()
        .put("metadata", new JsonObject().put("annotations", annotations))
        .toBuffer();
  }

  /**
   * Labels of a pod: the load's own and the scenario's additional ones, of which only the last
   * differs.
   *
   * @param owner value of the last label
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

  private JsonObject podSpec(int pod) {
    return new JsonObject()
        .put("serviceAccountName", plan.serviceAccount())
        .put("automountServiceAccountToken", false)
        .put("terminationGracePeriodSeconds", plan.scenario().graceSeconds())
        .put("containers", plan.containers().of(pod));
  }

  /** Restricts pods to the nodes of the plan. */
  private JsonObject select(JsonObject spec) {
    return spec.put("nodeSelector", new JsonObject().put(LoadPlan.LABEL, plan.prefix()));
  }
}
