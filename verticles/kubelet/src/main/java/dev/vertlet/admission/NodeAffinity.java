package dev.vertlet.admission;

import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PlacementView.Requirement;
import dev.vertlet.model.pod.PlacementView.Term;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks a node's labels against a pod's node selector and required affinity. */
final class NodeAffinity {
  private static final String NAME_FIELD = "metadata.name";

  private NodeAffinity() {}

  static boolean fits(NodeFacts node, PlacementView wants) {
    return node.labels().entrySet().containsAll(wants.nodeSelector().entrySet())
        && (wants.affinity().isEmpty() || any(node, wants.affinity()));
  }

  private static boolean any(NodeFacts node, List<Term> terms) {
    for (Term term : terms) {
      // an empty term matches nothing
      boolean asks = !term.labels().isEmpty() || !term.fields().isEmpty();
      if (asks
          && all(node.labels(), term.labels())
          && all(Map.of(NAME_FIELD, node.name()), term.fields())) {
        return true;
      }
    }
    return false;
  }

  private static boolean all(Map<String, String> labels, List<Requirement> requirements) {
    for (Requirement requirement : requirements) {
      if (!fits(labels.get(requirement.key()), requirement)) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(@Nullable String value, Requirement requirement) {
    return switch (requirement.operator()) {
      case "In" -> value != null && requirement.values().contains(value);
      case "NotIn" -> value == null || !requirement.values().contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> compare(value, requirement) > 0;
      case "Lt" -> compare(value, requirement) < 0;
      default -> false;
    };
  }

  /** Compares two numbers; 0, which matches neither Gt nor Lt, unless both sides are numbers. */
  private static int compare(@Nullable String value, Requirement requirement) {
    if (value == null || requirement.values().size() != 1) {
      return 0;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(requirement.values().get(0)));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
