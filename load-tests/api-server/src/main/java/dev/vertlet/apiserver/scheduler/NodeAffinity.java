package dev.vertlet.apiserver.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** {@code requiredDuringSchedulingIgnoredDuringExecution} of a node affinity. */
final class NodeAffinity {
  private static final String NAME_FIELD = "metadata.name";

  private NodeAffinity() {}

  /** The terms a pod requires, a missing node when it requires none. */
  static JsonNode termsOf(JsonNode pod) {
    return Json.at(
        pod,
        "spec",
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms");
  }

  /** Whether one of the terms matches; terms that are there but say nothing match no node. */
  static boolean matches(JsonNode terms, String name, JsonNode labels) {
    if (terms.isMissingNode()) {
      return true;
    }
    for (JsonNode term : terms) {
      if (termMatches(term, name, labels)) {
        return true;
      }
    }
    return false;
  }

  private static boolean termMatches(JsonNode term, String name, JsonNode labels) {
    JsonNode expressions = term.path("matchExpressions");
    JsonNode fields = term.path("matchFields");
    if (expressions.isEmpty() && fields.isEmpty()) {
      return false;
    }
    for (JsonNode expression : expressions) {
      if (!holds(expression, labels.path(Json.text(expression, "key")))) {
        return false;
      }
    }
    for (JsonNode field : fields) {
      boolean known = Json.text(field, "key").equals(NAME_FIELD);
      if (!known || contains(field.path("values"), name) != isIn(field)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIn(JsonNode requirement) {
    return Json.text(requirement, "operator").equals("In");
  }

  private static boolean holds(JsonNode expression, JsonNode label) {
    JsonNode values = expression.path("values");
    boolean present = label.isTextual();
    return switch (Json.text(expression, "operator")) {
      case "In" -> present && contains(values, label.asText());
      case "NotIn" -> !present || !contains(values, label.asText());
      case "Exists" -> present;
      case "DoesNotExist" -> !present;
      case "Gt" -> present && compare(label, values) > 0;
      case "Lt" -> present && compare(label, values) < 0;
      default -> false;
    };
  }

  private static boolean contains(JsonNode values, String wanted) {
    for (JsonNode value : values) {
      if (value.asText().equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** Zero, which satisfies neither comparison, for what is no number. */
  private static int compare(JsonNode label, JsonNode values) {
    try {
      return Long.compare(
          Long.parseLong(label.asText()), Long.parseLong(values.path(0).asText("")));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * The only nodes the terms allow by name, as they do for pods of a DaemonSet; empty when any term
   * leaves the name open.
   */
  static Optional<Set<String>> names(JsonNode terms) {
    Set<String> names = new HashSet<>();
    for (JsonNode term : terms) {
      boolean named = false;
      for (JsonNode field : term.path("matchFields")) {
        if (Json.text(field, "key").equals(NAME_FIELD) && isIn(field)) {
          field.path("values").forEach(value -> names.add(value.asText()));
          named = true;
        }
      }
      if (!named) {
        return Optional.empty();
      }
    }
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }
}
