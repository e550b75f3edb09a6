package dev.vertlet.kubeletconfig;

import dev.vertlet.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a kubelet on Linux demands of the values of fields, of several together, and of fields that
 * mean nothing here; with its defaults where a field is not set, and in its words. Rules of the
 * machine that it runs on are left out.
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
   * @param set values that have the types of their fields
   * @param gates that are in force with it; where these {@linkplain FeatureGates#broken cannot be},
   *     a kubelet looks no further
   */
  public static List<Problem> broken(Map<KubeletField, Object> set, FeatureGates gates) {
    if (!gates.broken().isEmpty()) {
      return List.of();
    }
    Judged judged = new Judged(set, gates);
    VALIDATION.forEach(rules -> rules.accept(judged));
    if (judged.broken().isEmpty()) {
      StartRules.check(judged); // a kubelet comes to them when it has accepted the rest
    }
    return judged.broken();
  }
}
