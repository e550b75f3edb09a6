package dev.vertlet.provider;

import dev.vertlet.model.ContainerCare;
import dev.vertlet.model.ProbeView;
import org.jspecify.annotations.Nullable;

/** What a probe is asked for. */
public enum ProbeKind {
  /** Has the container come up? Until then the others are not asked. */
  STARTUP("Startup"),
  /** Does it still work, or must it be started again? */
  LIVENESS("Liveness"),
  /** May it get traffic now? */
  READINESS("Readiness");

  private final String word;

  ProbeKind(String word) {
    this.word = word;
  }

  /** As events begin with it, for example {@code Liveness}. */
  public String word() {
    return word;
  }

  /** The container's probe of this kind, null when it has none. */
  public @Nullable ProbeView of(ContainerCare care) {
    return switch (this) {
      case STARTUP -> care.startupProbe();
      case LIVENESS -> care.livenessProbe();
      case READINESS -> care.readinessProbe();
    };
  }
}
