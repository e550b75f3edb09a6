package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.List;

/** Defaults of the pod types. */
final class PodDefaults {
  private PodDefaults() {}

  /** Defaults of {@code pkg/apis/core/v1/defaults.go}; idempotent. */
  static void apply(ObjectNode pod) {
    ObjectNode spec = Json.child(pod, "spec");
    for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          container(object, spec.path("hostNetwork").asBoolean(false));
        }
      }
    }
    PodResourceDefaults.apply(spec);
    spec.path("volumes").forEach(PodDefaults::volume);
    text(spec, "restartPolicy", "Always");
    number(spec, "terminationGracePeriodSeconds", 30);
    if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
      spec.put("terminationGracePeriodSeconds", 1);
    }
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

  private static void container(ObjectNode container, boolean hostNetwork) {
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
        if (hostNetwork && !object.has("hostPort") && object.has("containerPort")) {
          object.set("hostPort", object.get("containerPort"));
        }
      }
    }
    for (String hook : List.of("postStart", "preStop")) {
      if (Json.at(container, "lifecycle", hook, "httpGet") instanceof ObjectNode get) {
        text(get, "path", "/");
        text(get, "scheme", "HTTP");
      }
    }
    for (JsonNode variable : container.path("env")) {
      fieldRef(variable.path("valueFrom"));
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

  private static void volume(JsonNode volume) {
    if (volume instanceof ObjectNode object && object.size() <= 1 && !hasSource(object)) {
      object.putObject("emptyDir");
    }
    for (String source : List.of("configMap", "secret", "downwardAPI", "projected")) {
      if (volume.get(source) instanceof ObjectNode files) {
        number(files, "defaultMode", 0644);
      }
    }
    if (volume.get("hostPath") instanceof ObjectNode path) {
      text(path, "type", "");
    }
    fieldRefs(volume.path("downwardAPI"));
    for (JsonNode source : Json.at(volume, "projected", "sources")) {
      if (source.get("serviceAccountToken") instanceof ObjectNode token) {
        number(token, "expirationSeconds", 3600);
      }
      fieldRefs(source.path("downwardAPI"));
    }
  }

  private static void fieldRefs(JsonNode files) {
    files.path("items").forEach(PodDefaults::fieldRef);
  }

  private static void fieldRef(JsonNode holder) {
    if (holder.get("fieldRef") instanceof ObjectNode field) {
      text(field, "apiVersion", "v1");
    }
  }

  private static boolean hasSource(ObjectNode volume) {
    return volume.size() > (volume.has("name") ? 1 : 0);
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
