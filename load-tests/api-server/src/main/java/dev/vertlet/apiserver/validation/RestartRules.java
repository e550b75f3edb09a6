package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Whether a container that has ended may run again. */
final class RestartRules {
  static final List<String> STATUSES =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");
  private static final List<String> CONTAINERS = List.of("containers", "initContainers", "");

  private RestartRules() {}

  /** Statuses of containers that never restart do not leave the terminated state. */
  static void eachStatus(FieldValue next, FieldValue current) {
    FieldValue spec = current.at("spec");
    for (int i = 0; i < STATUSES.size(); i++) {
      FieldValue old = current.at("status", STATUSES.get(i));
      FieldValue now = next.at("status", STATUSES.get(i));
      boolean debug = CONTAINERS.get(i).isEmpty();
      if (!old.isEmpty() && (debug || !restartsWhole(spec))) {
        each(now, old, spec, CONTAINERS.get(i));
      }
    }
  }

  private static void each(FieldValue now, FieldValue old, FieldValue spec, String list) {
    for (int i = 0; i < old.json().size(); i++) {
      JsonNode ended = old.json().path(i).path("state").path("terminated");
      JsonNode name = old.json().path(i).path("name");
      if (ended.isObject()
          && lives(now.json(), name)
          && !restarts(spec, list, name, ended.path("exitCode").asInt())) {
        now.item(i).at("state").forbidden("may not be transitioned to non-terminated state");
      }
    }
  }

  private static boolean lives(JsonNode statuses, JsonNode name) {
    for (JsonNode status : statuses) {
      if (status.path("name").equals(name)) {
        return !status.path("state").has("terminated");
      }
    }
    return false;
  }

  private static boolean restarts(FieldValue spec, String list, JsonNode name, int exitCode) {
    for (JsonNode container : spec.json().path(list)) {
      if (container.path("name").equals(name)) {
        return restarts(container, spec.at("restartPolicy").text(), exitCode);
      }
    }
    return false;
  }

  private static boolean restarts(JsonNode container, String ofPod, int exitCode) {
    for (JsonNode rule : container.path("restartPolicyRules")) {
      if (matches(rule.path("exitCodes"), exitCode)) {
        return rule.path("action").asText().equals("Restart");
      }
    }
    return switch (container.path("restartPolicy").asText(ofPod)) {
      case "Never" -> false;
      case "OnFailure" -> exitCode != 0;
      default -> true;
    };
  }

  private static boolean matches(JsonNode codes, int exitCode) {
    boolean listed = false;
    for (JsonNode code : codes.path("values")) {
      listed |= code.asInt() == exitCode;
    }
    return codes.isObject() && listed == codes.path("operator").asText().equals("In");
  }

  /** Whether any container may have all of them restarted. */
  private static boolean restartsWhole(FieldValue spec) {
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.json().path(list)) {
        for (JsonNode rule : container.path("restartPolicyRules")) {
          if (rule.path("action").asText().equals("RestartAllContainers")) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
