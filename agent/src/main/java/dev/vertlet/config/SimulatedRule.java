package dev.vertlet.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the containers behave that a rule fits.
 *
 * @param selector pods it is for
 * @param containers names it is for; empty for all
 * @param pullDelay how long the pull takes, 0 to 24 h
 * @param startDelay how long the start takes, 0 to 24 h
 * @param readyDelay from start to ready, 0 to 24 h
 * @param runFor how long the container runs before it ends by itself, 0 to 8760 h; null for ever,
 *     in a pod of a Job one second
 * @param exitCode of a container that ends by itself, 0 to 255
 * @param stopDelay how long it takes to end after SIGTERM, 0 to 24 h; null when it ignores SIGTERM
 */
public record SimulatedRule(
    String name,
    Selector selector,
    List<String> containers,
    Duration pullDelay,
    Duration startDelay,
    Duration readyDelay,
    @Nullable Duration runFor,
    int exitCode,
    @Nullable Duration stopDelay) {
  private static final Duration DAY = Duration.ofHours(24);
  private static final Duration YEAR = Duration.ofHours(8760);

  public SimulatedRule {
    containers = List.copyOf(containers);
    new Check("")
        .range("pullDelay", pullDelay, Duration.ZERO, DAY)
        .range("startDelay", startDelay, Duration.ZERO, DAY)
        .range("readyDelay", readyDelay, Duration.ZERO, DAY)
        .range("runFor", runFor == null ? Duration.ZERO : runFor, Duration.ZERO, YEAR)
        .range("exitCode", exitCode, 0, 255)
        .range("stopDelay", stopDelay == null ? Duration.ZERO : stopDelay, Duration.ZERO, DAY)
        .done();
  }

  /** Whether the rule is for this container of the pod. */
  public boolean fits(
      String namespace, Map<String, String> labels, String controllerKind, String container) {
    return selector.fits(namespace, labels, controllerKind)
        && (containers.isEmpty() || containers.contains(container));
  }

  /**
   * Which pods.
   *
   * @param namespace empty for any
   * @param matchLabels labels the pod must have
   * @param controllerKind kind of the pod's controller; empty for any, or none
   */
  public record Selector(String namespace, Map<String, String> matchLabels, String controllerKind) {
    public Selector {
      matchLabels = Map.copyOf(matchLabels);
    }

    boolean fits(String podNamespace, Map<String, String> labels, String podControllerKind) {
      return (namespace.isEmpty() || namespace.equals(podNamespace))
          && (controllerKind.isEmpty() || controllerKind.equals(podControllerKind))
          && labels.entrySet().containsAll(matchLabels.entrySet());
    }
  }
}
