package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.List;

/** Defaults of the pod types and of the admission plugins every cluster runs. */
final class PodDefaults {
  /** The admission plugin DefaultTolerationSeconds: five minutes. */
  private static final int TOLERATION_SECONDS = 300;

  private PodDefaults() {}

  /** Defaults of {@code pkg/apis/core/v1/defaults.go}; idempotent. */
  static void apply(ObjectNode pod) {
    ObjectNode spec = Json.child(pod, "spec");
    for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          container(object);
        }
      }
    }
    text(spec, "restartPolicy", "Always");
    number(spec, "terminationGracePeriodSeconds", 30);
    text(spec, "dnsPolicy", "ClusterFirst");
    Json.child(spec, "securityContext");
    text(spec, "schedulerName", "default-scheduler");
    if (!spec.has("enableServiceLinks")) {
      spec.put("enableServiceLinks", true);
    }
    if (spec.has("serviceAccountName")) {
      spec.set("serviceAccount", spec.get("serviceAccountName"));
    }
    status(Json.child(pod, "status"));
  }

  private static void status(ObjectNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition instanceof ObjectNode object) {
        NodeStrategy.putNullIfAbsent(object, "lastProbeTime");
        NodeStrategy.putNullIfAbsent(object, "lastTransitionTime");
      }
    }
    // podIP mirrors the first of podIPs; the old field wins when it was written alone
    String first = status.path("podIPs").path(0).path("ip").asText("");
    String ip = status.path("podIP").asText("");
    if (!ip.isEmpty() && !ip.equals(first)) {
      status.putArray("podIPs").addObject().put("ip", ip);
    } else if (ip.isEmpty() && !first.isEmpty()) {
      status.put("podIP", first);
    }
  }

  private static void container(ObjectNode container) {
    ObjectNode resources = Json.child(container, "resources");
    if (resources.get("limits") instanceof ObjectNode limits) {
      ObjectNode requests = Json.child(resources, "requests");
      limits
          .properties()
          .forEach(
              limit -> {
                if (!requests.has(limit.getKey())) {
                  requests.set(limit.getKey(), limit.getValue());
                }
              });
    }
    for (JsonNode port : container.path("ports")) {
      if (port instanceof ObjectNode object) {
        text(object, "protocol", "TCP");
      }
    }
    for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.get(probe) instanceof ObjectNode object) {
        probe(object);
      }
    }
    text(container, "terminationMessagePath", "/dev/termination-log");
    text(container, "terminationMessagePolicy", "File");
    text(container, "imagePullPolicy", pullPolicy(container.path("image").asText()));
  }

  private static String pullPolicy(String image) {
    String last = image.substring(image.lastIndexOf('/') + 1);
    boolean pinned =
        last.indexOf('@') >= 0 || (last.indexOf(':') >= 0 && !last.endsWith(":latest"));
    return pinned ? "IfNotPresent" : "Always";
  }

  private static void probe(ObjectNode probe) {
    number(probe, "timeoutSeconds", 1);
    number(probe, "periodSeconds", 10);
    number(probe, "successThreshold", 1);
    number(probe, "failureThreshold", 3);
    if (probe.get("httpGet") instanceof ObjectNode get) {
      text(get, "path", "/");
      text(get, "scheme", "HTTP");
    }
  }

  /** What the default admission plugins add to a new pod. */
  static void admit(ObjectNode pod) {
    ObjectNode spec = Json.child(pod, "spec");
    ArrayNode tolerations =
        spec.get("tolerations") instanceof ArrayNode there ? there : spec.putArray("tolerations");
    tolerate(tolerations, "node.kubernetes.io/not-ready");
    tolerate(tolerations, "node.kubernetes.io/unreachable");
    number(spec, "priority", 0);
    text(spec, "preemptionPolicy", "PreemptLowerPriority");
  }

  private static void tolerate(ArrayNode tolerations, String taint) {
    for (JsonNode toleration : tolerations) {
      String key = toleration.path("key").asText("");
      String effect = toleration.path("effect").asText("");
      if ((key.equals(taint) || key.isEmpty())
          && (effect.isEmpty() || effect.equals("NoExecute"))) {
        return;
      }
    }
    tolerations
        .addObject()
        .put("key", taint)
        .put("operator", "Exists")
        .put("effect", "NoExecute")
        .put("tolerationSeconds", TOLERATION_SECONDS);
  }

  private static void text(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }

  private static void number(ObjectNode object, String field, int value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }
}
