package dev.vertlet.provider.probe;

import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ProbeView;
import org.jspecify.annotations.Nullable;

/** Purpose of a probe. */
public enum ProbeKind {
  /** Whether the container has started. Until it has, the other probes are not performed. */
  STARTUP("Startup"),
  /** Whether the container still works; if not, it is restarted. */
  LIVENESS("Liveness"),
  /** Whether the container may get traffic now. */
  READINESS("Readiness");

  private final String word;

  ProbeKind(String word) {
    this.word = word;
  }

  /** First word of the probe's events, for example {@code Liveness}. */
  public String word() {
    return word;
  }

  /** Returns the container's probe of this kind, null when it has none. */
  public @Nullable ProbeView of(ContainerCare care) {
    return switch (this) {
      case STARTUP -> care.startupProbe();
      case LIVENESS -> care.livenessProbe();
      case READINESS -> care.readinessProbe();
    };
  }
}
