package dev.vertlet.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A label selector of the API; all its requirements must hold. Without any it selects everything.
 */
public record LabelSelector(List<Requirement> requirements) {
  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /** Operator of a requirement. */
  public enum Operator {
    IN("In"),
    NOT_IN("NotIn"),
    EXISTS("Exists"),
    DOES_NOT_EXIST("DoesNotExist");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    private static Operator of(String text) {
      for (Operator operator : values()) {
        if (operator.text.equals(text)) {
          return operator;
        }
      }
      throw new DecodeException("\"" + text + "\" is not a valid label selector operator");
    }
  }

  /**
   * A requirement for one label.
   *
   * @param values for {@code In} and {@code NotIn}
   */
  public record Requirement(String key, Operator operator, Set<String> values) {
    public Requirement {
      values = Set.copyOf(values);
    }

    private boolean holds(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }

  /**
   * Reads a {@code metav1.LabelSelector}.
   *
   * @throws DecodeException for an unknown operator
   */
  public static LabelSelector read(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    Map<String, String> labels = new HashMap<>();
    selector
        .path("matchLabels")
        .fields()
        .forEachRemaining(label -> labels.put(label.getKey(), label.getValue().asText("")));
    for (String key : new TreeSet<>(labels.keySet())) {
      requirements.add(new Requirement(key, Operator.IN, Set.of(labels.getOrDefault(key, ""))));
    }
    for (JsonNode expression : selector.path("matchExpressions")) {
      Set<String> values = new TreeSet<>();
      expression.path("values").forEach(value -> values.add(value.asText("")));
      requirements.add(
          new Requirement(
              expression.path("key").asText(""),
              Operator.of(expression.path("operator").asText("")),
              values));
    }
    return new LabelSelector(requirements);
  }

  /** Whether it selects an object with these labels. */
  public boolean selects(Map<String, String> labels) {
    return requirements.stream().allMatch(requirement -> requirement.holds(labels));
  }
}
