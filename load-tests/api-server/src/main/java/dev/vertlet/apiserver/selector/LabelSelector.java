package dev.vertlet.apiserver.selector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A conjunction of label requirements, equality-based and set-based. */
public final class LabelSelector {
  enum Operator {
    EXISTS,
    ABSENT,
    IN,
    NOT_IN,
    GREATER,
    LESS
  }

  record Requirement(String key, Operator operator, Set<String> values) {
    boolean matches(JsonNode labels) {
      JsonNode label = labels.path(key);
      boolean present = label.isTextual();
      if (operator == Operator.EXISTS) {
        return present;
      } else if (operator == Operator.ABSENT) {
        return !present;
      } else if (operator == Operator.IN) {
        return present && values.contains(label.asText());
      } else if (operator == Operator.NOT_IN) {
        return !present || !values.contains(label.asText());
      }
      return present && compares(label.asText());
    }

    private boolean compares(String label) {
      try {
        long bound = Long.parseLong(values.iterator().next());
        long value = Long.parseLong(label);
        return operator == Operator.GREATER ? value > bound : value < bound;
      } catch (NumberFormatException e) {
        return false; // a label that is no number never compares, as on the real server
      }
    }
  }

  private final List<Requirement> requirements;

  private LabelSelector(List<Requirement> requirements) {
    this.requirements = List.copyOf(requirements);
  }

  /** Parses the {@code labelSelector} parameter, empty for "everything". */
  public static LabelSelector parse(String text) {
    return new LabelSelector(new LabelSelectorParser(text).parse());
  }

  /** A {@code metav1.LabelSelector}; an empty one matches everything. */
  public static LabelSelector of(JsonNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(
            label ->
                requirements.add(
                    new Requirement(
                        label.getKey(), Operator.IN, Set.of(label.getValue().asText()))));
    for (JsonNode expression : selector.path("matchExpressions")) {
      Set<String> values = new LinkedHashSet<>();
      expression.path("values").forEach(value -> values.add(value.asText()));
      Operator operator =
          switch (expression.path("operator").asText()) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.ABSENT;
            default -> throw new IllegalArgumentException("not a label selector: " + selector);
          };
      requirements.add(new Requirement(expression.path("key").asText(), operator, values));
    }
    return new LabelSelector(requirements);
  }

  /** Whether everything matches. */
  public boolean isEmpty() {
    return requirements.isEmpty();
  }

  /**
   * @param labels the {@code metadata.labels} node, which may be missing
   */
  public boolean matches(JsonNode labels) {
    for (Requirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }
}
