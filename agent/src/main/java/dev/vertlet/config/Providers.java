package dev.vertlet.config;

import java.util.List;
import java.util.Optional;

/** The names that {@code provider} may have. */
final class Providers {
  static final String SIMULATED = "simulated";

  static final List<String> AVAILABLE = List.of(SIMULATED);

  static final List<String> PLANNED = List.of("process", "remote", "cri");

  private Providers() {}

  /** Why this provider cannot be had; empty when it can. */
  static Optional<String> refusal(String provider) {
    if (AVAILABLE.contains(provider)) {
      return Optional.empty();
    }
    String available = "; available: " + String.join(", ", AVAILABLE);
    return Optional.of(
        PLANNED.contains(provider)
            ? "is planned, not available yet" + available
            : "is not a provider" + available + "; planned: " + String.join(", ", PLANNED));
  }
}
