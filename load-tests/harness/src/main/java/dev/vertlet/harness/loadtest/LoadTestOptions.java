package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.Pace;
import java.util.Locale;

/**
 * What a load test does.
 *
 * @param profile of the agent
 */
public record LoadTestOptions(Target target, int nodes, int pods, Profile profile, Pace pace) {
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
