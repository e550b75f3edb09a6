package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;

/**
 * Sets the API server's defaults that running the pod depends on. The API server sets the others in
 * the mirror pod.
 */
final class PodSpecDefaults {
  /** {@code SetDefaults_Probe} of core/v1. */
  private static final Map<String, Integer> PROBE =
      Map.of(
          "timeoutSeconds", 1, "periodSeconds", 10, "successThreshold", 1, "failureThreshold", 3);

  private static final int GRACE_SECONDS = 30;

  private PodSpecDefaults() {}

  static void apply(ObjectNode spec) {
    absent(spec, "restartPolicy", "Always");
    if (!spec.hasNonNull("terminationGracePeriodSeconds")) {
      spec.put("terminationGracePeriodSeconds", GRACE_SECONDS);
    }
    quantities(spec.path("overhead"));
    amounts(spec.path("resources"));
    boolean hostNetwork = spec.path("hostNetwork").asBoolean();
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          container(object, hostNetwork);
        }
      }
    }
  }

  private static void container(ObjectNode container, boolean hostNetwork) {
    absent(container, "imagePullPolicy", pullPolicy(container.path("image").asText()));
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      if (container.path(probe) instanceof ObjectNode object) {
        PROBE.forEach(
            (field, value) -> {
              if (object.path(field).asInt() == 0) {
                object.put(field, value);
              }
            });
      }
    }
    amounts(container.path("resources"));
    if (container.path("resources") instanceof ObjectNode resources) {
      requestWhatIsLimited(resources);
    }
    for (JsonNode port : container.path("ports")) {
      if (port instanceof ObjectNode object) {
        absent(object, "protocol", "TCP");
        if (hostNetwork && object.path("hostPort").asInt() == 0) {
          object.set("hostPort", object.path("containerPort"));
        }
      }
    }
  }

  private static void amounts(JsonNode resources) {
    quantities(resources.path("limits"));
    quantities(resources.path("requests"));
  }

  /** Converts numbers to strings, as the API server does for quantities. */
  private static void quantities(JsonNode map) {
    if (map instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> quantity : object.properties()) {
        if (quantity.getValue().isNumber()) {
          quantity.setValue(TextNode.valueOf(quantity.getValue().asText()));
        }
      }
    }
  }

  private static void requestWhatIsLimited(ObjectNode resources) {
    if (resources.path("limits") instanceof ObjectNode limits) {
      ObjectNode requests =
          resources.path("requests") instanceof ObjectNode given
              ? given
              : resources.putObject("requests");
      limits
          .fields()
          .forEachRemaining(
              limit -> {
                if (!requests.has(limit.getKey())) {
                  requests.set(limit.getKey(), limit.getValue());
                }
              });
    }
  }

  /** Always for the tag {@code latest}, explicit or implicit. */
  private static String pullPolicy(String image) {
    String name = image.substring(image.lastIndexOf('/') + 1);
    int tag = name.indexOf(':');
    boolean latest = tag < 0 || name.substring(tag + 1).equals("latest");
    return latest && name.indexOf('@') < 0 ? "Always" : "IfNotPresent";
  }

  private static void absent(ObjectNode object, String field, String value) {
    if (object.path(field).asText().isEmpty() || object.path(field).isNull()) {
      object.put(field, value);
    }
  }
}
