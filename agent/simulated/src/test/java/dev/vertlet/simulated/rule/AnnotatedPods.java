package dev.vertlet.simulated.rule;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.simulated.Pods;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Pods whose annotations say something, or almost. */
public final class AnnotatedPods {
  private static final List<String> TIMES =
      List.of(
          "0",
          "10ms",
          "1m30s",
          "5s..15s",
          "normal(10s,2s)",
          "lognormal(2s,20s)",
          "exponential(10s)",
          "empirical(1s:80,5s:19,never:1)",
          "never",
          "876000h");

  private static final List<String> AMOUNTS =
      List.of(
          "250m",
          "200Mi",
          "60%",
          "100m..300m",
          "50%..2Gi",
          "sine(100m,900m,24h)",
          "8E",
          "999999%",
          "ramp(10%,90%,5m)",
          "ramp(9Ei,0,1s)",
          "sine(0,9Ei,876000h)");
  private static final List<String> PROBES =
      List.of("ok", "fail 20s, ok", "ok 3x, fail 2x, ok", "hang", "warn", "error");
  private static final List<String> HOOKS = List.of("2s", "never", "fail", "fail 2s");
  private static final List<String> TEXTS = List.of("manifest unknown", "it is {n} in {pod}");

  private AnnotatedPods() {}

  /** Two containers, {@code main} and, before it, {@code first}. */
  public static PodView pod(long seed) {
    return pod("pod-" + seed, seed, List.of(RuleKey.values()));
  }

  /**
   * @param settings that its annotations are about
   */
  static PodView pod(String name, long seed, List<RuleKey> settings) {
    Random random = Seeds.random(seed);
    JsonFuzz fuzz = new JsonFuzz(random);
    Map<String, String> annotations = new HashMap<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      RuleKey setting = settings.get(random.nextInt(settings.size()));
      List<String> meant = meant(setting);
      String value = meant.get(random.nextInt(meant.size()));
      annotations.put(key(setting, random, fuzz), random.nextInt(3) > 0 ? value : fuzz.text(value));
    }
    return Pods.pod(name).init("first").annotations(annotations).view();
  }

  private static String key(RuleKey setting, Random random, JsonFuzz fuzz) {
    String prefix = random.nextInt(4) == 0 ? "simulated.vertlet.dev/" : Annotations.PREFIX;
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> prefix + "main." + setting.key();
      case 3 -> prefix + "first." + setting.key();
      case 4 -> prefix + fuzz.characters(setting.key());
      case 5 -> prefix + "other." + setting.key();
      default -> prefix + setting.key();
    };
  }

  private static List<String> meant(RuleKey setting) {
    return switch (setting) {
      case SANDBOX_DELAY,
          PULL_DELAY,
          START_DELAY,
          READY_DELAY,
          RUN_FOR,
          OOM_AFTER,
          STOP_DELAY,
          KILL_DELAY,
          RESIZE_DELAY ->
          TIMES;
      case EXIT_CODE -> List.of("0", "255", "0:9,1:1");
      case SANDBOX_ERROR, PULL_ERROR, START_ERROR, RESIZE_ERROR -> TEXTS;
      case STARTUP_PROBE, LIVENESS_PROBE, READINESS_PROBE -> PROBES;
      case POST_START, PRE_STOP -> HOOKS;
      case CPU_USAGE, MEMORY_USAGE, STORAGE_USAGE -> AMOUNTS;
      case LOG_RATE -> List.of("10/s", "0.5/m", "3/h", "0", "unlimited", "1000000000/s");
      case LOG_LINE, TERMINATION_MESSAGE -> TEXTS;
      case LOG_ERROR_EVERY -> List.of("0", "3", "1000000000");
      case PORTS -> List.of("any", "none", "80:http,7:echo,9000");
    };
  }
}
