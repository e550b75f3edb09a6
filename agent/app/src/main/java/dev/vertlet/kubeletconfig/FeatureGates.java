package dev.vertlet.kubeletconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Feature gates of a kubelet of Kubernetes 1.36.
 *
 * @param set configured gates by name; all others have their default
 */
public record FeatureGates(Map<String, Boolean> set) {
  /** Kubelets serve {@code /checkpoint}. */
  public static final String CONTAINER_CHECKPOINT = "ContainerCheckpoint";

  /** CrashLoopBackOff starts at 1 s and grows to at most 1 min. */
  public static final String REDUCED_BACK_OFF = "ReduceDefaultCrashLoopBackOffDecay";

  /** The maximum of the CrashLoopBackOff delay is configurable. */
  public static final String BACK_OFF_MAX = "KubeletCrashLoopBackOffMax";

  /** Containers may have their own restart policies and rules. */
  public static final String RESTART_RULES = "ContainerRestartRules";

  /** A rule can restart all containers of a pod. */
  public static final String RESTART_OF_ALL = "RestartAllContainersOnContainerExits";

  /** Pods may have pod-level resources. */
  public static final String POD_LEVEL_RESOURCES = "PodLevelResources";

  /** Nodes declare features and reject pods that need others. */
  public static final String DECLARED_FEATURES = "NodeDeclaredFeatures";

  /** No configured gates. */
  public static final FeatureGates DEFAULTS = new FeatureGates(Map.of());

  private static final Set<String> HONOURED =
      Set.of(
          CONTAINER_CHECKPOINT,
          REDUCED_BACK_OFF,
          BACK_OFF_MAX,
          RESTART_RULES,
          RESTART_OF_ALL,
          POD_LEVEL_RESOURCES,
          DECLARED_FEATURES);

  private static final String ALL_ALPHA = "AllAlpha";
  private static final String ALL_BETA = "AllBeta";

  private static final Map<String, Gate> KNOWN = known();

  /**
   * @param locked whether it is locked to its default
   * @param needs gates that it depends on
   */
  private record Gate(boolean byDefault, String stage, boolean locked, List<String> needs) {}

  public FeatureGates {
    set = Collections.unmodifiableMap(new TreeMap<>(set));
  }

  /** Returns whether vertlet implements the gate. */
  public static boolean honoured(String gate) {
    return HONOURED.contains(gate) || gate.equals(ALL_ALPHA) || gate.equals(ALL_BETA);
  }

  /**
   * Reads gates from an object of booleans; other values are ignored.
   *
   * @param json possibly such an object
   */
  public static FeatureGates of(@Nullable Object json) {
    Map<String, Boolean> set = new HashMap<>();
    if (json instanceof JsonObject gates) {
      for (Map.Entry<String, Object> gate : gates) {
        if (gate.getValue() instanceof Boolean on) {
          set.put(gate.getKey(), on);
        }
      }
    }
    return new FeatureGates(set);
  }

  /**
   * Each by its name, what a kubelet says of gates that it cannot set, in the order of their names;
   * if there are none, of those that are on and need others that are off (component-base's
   * featuregate).
   */
  public List<Problem> broken() {
    Problems broken = new Problems();
    set.forEach(
        (gate, on) -> {
          Gate known = KNOWN.get(gate);
          if (known == null && !gate.equals(ALL_ALPHA) && !gate.equals(ALL_BETA)) {
            broken.about(gate, "unrecognized feature gate: " + gate);
          } else if (known != null && known.locked() && known.byDefault() != on) {
            broken.about(
                gate,
                "cannot set feature gate %s to %s, feature is locked to %s"
                    .formatted(gate, on, known.byDefault()));
          }
        });
    if (broken.isEmpty() && !set.isEmpty()) {
      KNOWN.forEach((gate, known) -> needs(gate, known, broken));
    }
    return broken.list();
  }

  private void needs(String gate, Gate known, Problems broken) {
    if (known.needs().isEmpty() || !enabled(gate)) {
      return;
    }
    List<String> off = known.needs().stream().filter(other -> !enabled(other)).toList();
    if (!off.isEmpty()) {
      String one =
          Stream.of(List.of(gate), off, List.of(ALL_BETA, ALL_ALPHA))
              .flatMap(List::stream)
              .filter(set::containsKey)
              .findFirst()
              .orElse(gate);
      broken.about(
          one,
          "%s is enabled, but depends on features that are disabled: [%s]"
              .formatted(gate, String.join(" ", off)));
    }
  }

  /**
   * Returns whether the feature is enabled.
   *
   * @param gate a gate that Kubernetes knows
   */
  public boolean enabled(String gate) {
    Boolean said = set.get(gate);
    if (said != null) {
      return said;
    }
    Gate known = KNOWN.get(gate);
    if (known == null) {
      throw new IllegalArgumentException("unrecognized feature gate: " + gate);
    }
    Boolean all =
        switch (known.stage()) {
          case "alpha" -> set.get(ALL_ALPHA);
          case "beta" -> set.get(ALL_BETA);
          default -> null;
        };
    return all != null && !known.locked() ? all : known.byDefault();
  }

  /** Lists the gates that a kubelet 1.36.3 registers. */
  private static Map<String, Gate> known() {
    try (InputStream in = FeatureGates.class.getResourceAsStream("feature-gates.csv")) {
      if (in == null) {
        throw new IllegalStateException("no jar has feature-gates.csv");
      }
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .skip(1)
          .map(line -> line.split(",", -1))
          .collect(
              Collectors.toMap(
                  row -> row[0],
                  row ->
                      new Gate(
                          row[1].equals("true"),
                          row[2],
                          row[3].equals("true"),
                          row[4].isEmpty() ? List.of() : List.of(row[4].split(" "))),
                  (a, b) -> a,
                  LinkedHashMap::new));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read feature-gates.csv of the class path", e);
    }
  }
}
