package dev.vertlet.admission;

import dev.vertlet.model.node.TaintView;
import dev.vertlet.model.pod.PlacementView.Toleration;
import java.util.List;

/** Checks a pod's tolerations against taints. */
final class Tolerations {
  private Tolerations() {}

  static boolean bear(List<Toleration> tolerations, List<TaintView> taints) {
    for (TaintView taint : taints) {
      if (!bears(tolerations, taint)) {
        return false;
      }
    }
    return true;
  }

  private static boolean bears(List<Toleration> tolerations, TaintView taint) {
    for (Toleration toleration : tolerations) {
      if (fits(toleration.effect(), taint.effect())
          && fits(toleration.key(), taint.key())
          && value(toleration, taint.value())) {
        return true;
      }
    }
    return false;
  }

  /** Whether both are equal; an empty value matches all. */
  private static boolean fits(String wanted, String actual) {
    return wanted.isEmpty() || wanted.equals(actual);
  }

  private static boolean value(Toleration toleration, String value) {
    return switch (toleration.operator()) {
      case "", "Equal" -> toleration.value().equals(value);
      case "Exists" -> true;
      default -> false;
    };
  }
}
