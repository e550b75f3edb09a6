package dev.vertlet.harness.loadtest;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * What a load test does.
 *
 * @param agentKubeconfig what the agent connects with; empty: what the load test does
 * @param profile of the agent
 * @param rate pods per second; empty: as fast as the server answers
 */
public record LoadTestOptions(
    Target target,
    Optional<Path> agentKubeconfig,
    int nodes,
    int pods,
    Profile profile,
    Optional<Double> rate) {
  /** As {@code agent.profile}. */
  public enum Profile {
    KUBELET,
    FAST;

    /** As the configuration writes it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
