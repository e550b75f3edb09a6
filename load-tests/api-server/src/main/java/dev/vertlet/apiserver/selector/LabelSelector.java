package dev.vertlet.apiserver.selector;

import com.fasterxml.jackson.databind.JsonNode;
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
