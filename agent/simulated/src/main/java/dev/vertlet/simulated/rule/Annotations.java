package dev.vertlet.simulated.rule;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code sim.vertlet.dev/<setting>} for the whole pod and {@code
 * sim.vertlet.dev/<container>.<setting>} for one container; the latter wins. The longer prefix
 * {@code simulated.vertlet.dev/} means the same; the shorter prefix wins.
 */
public final class Annotations {
  public static final String PREFIX = "sim.vertlet.dev/";
  private static final String LONG_PREFIX = "simulated.vertlet.dev/";

  /** Most characters of a value in a refusal, which appears in a status, an event and the log. */
  private static final int LONGEST_VALUE = 200;

  private static final int LONGEST_WHY = 600;

  private Annotations() {}

  /**
   * Checks the pod's annotations.
   *
   * @throws ProviderException INVALID for the first invalid annotation, with its name, its value
   *     and the allowed values
   */
  public static void check(PodView pod) {
    for (Map.Entry<String, String> annotation : pod.annotations().entrySet()) {
      if (ours(annotation.getKey())) {
        check(pod, annotation.getKey(), annotation.getValue());
      }
    }
  }

  private static boolean ours(String key) {
    return key.startsWith(PREFIX) || key.startsWith(LONG_PREFIX);
  }

  private static boolean superseded(PodView pod, String key) {
    return key.startsWith(LONG_PREFIX)
        && pod.annotations().containsKey(PREFIX + key.substring(LONG_PREFIX.length()));
  }

  private static void check(PodView pod, String key, String value) {
    Target target = Target.of(key);
    if (!target.podWide() && !Role.known(pod.spec(), target.container())) {
      throw invalid(key, value, "the pod has no container \"" + target.container() + "\"");
    }
    RuleKey setting = target.setting();
    if (setting == null) {
      throw invalid(key, value, "unknown setting, want one of " + RuleKey.allowed());
    }
    if (setting.ofPod() && !target.podWide()) {
      throw invalid(key, value, setting.key() + " is the pod's, want it without a container");
    }
    try {
      LifeCycle unused = LifeCycle.UNSET.with(setting, value);
    } catch (IllegalArgumentException e) {
      throw invalid(key, value, e.getMessage());
    }
  }

  /**
   * Reads the annotations for one container. It ignores annotations that {@link #check} refuses: an
   * invalid annotation must not stop a running pod.
   */
  public static LifeCycle of(PodView pod, String container, Role role) {
    LifeCycle podWide = LifeCycle.UNSET;
    LifeCycle own = LifeCycle.UNSET;
    for (Map.Entry<String, String> annotation : pod.annotations().entrySet()) {
      if (!ours(annotation.getKey()) || superseded(pod, annotation.getKey())) {
        continue;
      }
      Target target = Target.of(annotation.getKey());
      if (target.podWide()) {
        podWide = target.apply(podWide, annotation.getValue());
      } else if (target.container().equals(container)) {
        own = target.apply(own, annotation.getValue());
      }
    }
    return own.or(role == Role.REGULAR ? podWide : podWide.withoutEnd());
  }

  private static ProviderException invalid(String key, String value, @Nullable String why) {
    return new ProviderException(
        ProviderException.Kind.INVALID,
        "InvalidAnnotation",
        "annotation "
            + key
            + "=\""
            + shortened(value, LONGEST_VALUE)
            + "\": "
            + shortened(String.valueOf(why), LONGEST_WHY));
  }

  /** Shortens the text in the middle: its beginning shows the intention, its end the form. */
  private static String shortened(String text, int longest) {
    int front = longest / 4;
    return text.length() <= longest
        ? text
        : text.substring(0, front) + "…" + text.substring(text.length() - longest + front + 1);
  }

  /**
   * Target of an annotation.
   *
   * @param container empty for the whole pod
   * @param setting null for an unknown setting
   */
  private record Target(String container, @Nullable RuleKey setting) {
    static Target of(String key) {
      String name = key.substring(key.indexOf('/') + 1);
      int dot = name.lastIndexOf('.');
      return new Target(
          dot < 0 ? "" : name.substring(0, dot), RuleKey.of(name.substring(dot + 1)).orElse(null));
    }

    boolean podWide() {
      return container.isEmpty();
    }

    LifeCycle apply(LifeCycle lifeCycle, String value) {
      if (setting == null) {
        return lifeCycle;
      }
      try {
        return lifeCycle.with(setting, value);
      } catch (IllegalArgumentException e) {
        return lifeCycle;
      }
    }
  }
}
