package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.runtime.CelEvaluationException;
import dev.vertlet.stages.spec.Stage.Operator;
import dev.vertlet.stages.spec.Stage.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A compiled selector: all of its requirements must hold. */
public final class ObjectMatcher {
  static final ObjectMatcher NONE = new ObjectMatcher(Map.of(), Map.of(), List.of());

  private final Map<String, String> labels;
  private final Map<String, String> annotations;
  private final List<Condition> conditions;

  ObjectMatcher(
      Map<String, String> labels, Map<String, String> annotations, List<Condition> conditions) {
    this.labels = labels;
    this.annotations = annotations;
    this.conditions = conditions;
  }

  /** Whether the selector can match at all: one that is missing matches no object. */
  public boolean canMatch() {
    return this != NONE;
  }

  /** Whether an object meets all requirements. */
  public boolean matches(JsonNode object) {
    if (this == NONE) {
      return false;
    }
    JsonNode metadata = object.path("metadata");
    if (!has(metadata.path("labels"), labels) || !has(metadata.path("annotations"), annotations)) {
      return false;
    }
    for (Condition condition : conditions) {
      if (condition.failure(object) != null) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(JsonNode actual, Map<String, String> wanted) {
    for (Map.Entry<String, String> entry : wanted.entrySet()) {
      if (!entry.getValue().equals(actual.path(entry.getKey()).textValue())) {
        return false;
      }
    }
    return true;
  }

  /** Says which requirement an object does not meet; empty if it meets all. For people. */
  public Optional<String> mismatch(JsonNode object) {
    if (this == NONE) {
      return Optional.of("it has no selector");
    }
    JsonNode metadata = object.path("metadata");
    if (!has(metadata.path("labels"), labels)) {
      return Optional.of("its labels are not " + labels);
    }
    if (!has(metadata.path("annotations"), annotations)) {
      return Optional.of("its annotations are not " + annotations);
    }
    return conditions.stream()
        .flatMap(condition -> Optional.ofNullable(condition.failure(object)).stream())
        .findFirst();
  }

  /** One requirement. */
  sealed interface Condition {
    /** Describes why an object does not meet it; null if it does. */
    @Nullable String failure(JsonNode object);
  }

  /** A jq query whose results are compared with texts. */
  record JqCondition(Requirement.Jq requirement, JqQuery query) implements Condition {
    @Override
    public @Nullable String failure(JsonNode object) {
      List<JsonNode> results = query.apply(object);
      Operator operator = requirement.operator();
      boolean present = results != null && !results.isEmpty();
      boolean holds =
          switch (operator) {
            case IN -> results != null && equalsOne(results);
            case NOT_IN -> results == null || !equalsOne(results);
            case EXISTS -> present;
            case DOES_NOT_EXIST -> !present;
          };
      return holds ? null : described(results);
    }

    private boolean equalsOne(List<JsonNode> results) {
      for (JsonNode result : results) {
        if (result.isValueNode() && requirement.values().contains(result.asText())) {
          return true;
        }
      }
      return false;
    }

    private String described(@Nullable List<JsonNode> results) {
      String wanted =
          requirement.operator().text()
              + (requirement.values().isEmpty() ? "" : " " + requirement.values());
      String found = results == null || results.isEmpty() ? "nothing" : results.toString();
      return "%s yields %s, and must be %s".formatted(requirement.source().text(), found, wanted);
    }
  }

  /** A CEL expression; one that cannot be evaluated for an object does not hold. */
  record CelCondition(Requirement.Cel requirement, CelProgram program) implements Condition {
    @Override
    public @Nullable String failure(JsonNode object) {
      try {
        return Boolean.TRUE.equals(program.apply(object))
            ? null
            : requirement.source().text() + " is not true";
      } catch (CelEvaluationException e) {
        return requirement.source().text() + ": " + e.getMessage();
      }
    }
  }
}
