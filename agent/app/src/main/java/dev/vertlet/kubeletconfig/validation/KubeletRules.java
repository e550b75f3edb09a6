package dev.vertlet.kubeletconfig.validation;

import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Validation of a kubelet on Linux: rules for single fields, combinations, and fields that vertlet
 * ignores, with a kubelet's defaults and messages. Rules about the kubelet's machine are omitted.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/apis/config/validation/validation.go">
 *     ValidateKubeletConfiguration, kubelet 1.36.3</a>
 */
public final class KubeletRules {
  private static final List<Consumer<Judged>> VALIDATION =
      List.of(
          NumberRules::check,
          ImageRules::check,
          CgroupRules::check,
          ShutdownRules::check,
          MemoryRules::check,
          LogRules::check,
          LoggingRules::check,
          TracingRules::check,
          TaintRules::check,
          OptionRules::check);

  private KubeletRules() {}

  /**
   * What does not hold of a configuration, in a kubelet's words; each is of a field, or of what is
   * in its value.
   *
   * @param set values that have their fields' types
   * @param gates effective gates; when they are {@linkplain FeatureGates#broken invalid}, a kubelet
   *     checks nothing else
   */
  public static List<Problem> broken(Map<KubeletField, Object> set, FeatureGates gates) {
    if (!gates.broken().isEmpty()) {
      return List.of();
    }
    Judged judged = new Judged(set, gates);
    VALIDATION.forEach(rules -> rules.accept(judged));
    if (judged.broken().isEmpty()) {
      StartRules.check(judged); // a kubelet checks these only after accepting the rest
    }
    return judged.broken();
  }
}
