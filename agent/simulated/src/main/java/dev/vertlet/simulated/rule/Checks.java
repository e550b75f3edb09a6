package dev.vertlet.simulated.rule;

import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.provider.probe.ProbeKind;
import org.jspecify.annotations.Nullable;

/** Scripts of a container's probes and hooks. Null means unset: success at once by default. */
public record Checks(
    @Nullable ProbeScript startup,
    @Nullable ProbeScript liveness,
    @Nullable ProbeScript readiness,
    @Nullable HookScript postStart,
    @Nullable HookScript preStop) {
  /** Sets nothing. */
  public static final Checks UNSET = new Checks(null, null, null, null, null);

  static Checks of(ProbeKind kind, ProbeScript script) {
    return switch (kind) {
      case STARTUP -> new Checks(script, null, null, null, null);
      case LIVENESS -> new Checks(null, script, null, null, null);
      case READINESS -> new Checks(null, null, script, null, null);
    };
  }

  static Checks of(Moment moment, HookScript script) {
    return moment == Moment.POST_START
        ? new Checks(null, null, null, script, null)
        : new Checks(null, null, null, null, script);
  }

  Checks or(Checks fallback) {
    if (fallback == UNSET) {
      return this;
    }
    return new Checks(
        startup != null ? startup : fallback.startup,
        liveness != null ? liveness : fallback.liveness,
        readiness != null ? readiness : fallback.readiness,
        postStart != null ? postStart : fallback.postStart,
        preStop != null ? preStop : fallback.preStop);
  }

  ProbeScript probe(ProbeKind kind) {
    ProbeScript script =
        switch (kind) {
          case STARTUP -> startup;
          case LIVENESS -> liveness;
          case READINESS -> readiness;
        };
    return script == null ? ProbeScript.OK : script;
  }

  @Nullable HookScript hook(Moment moment) {
    return moment == Moment.POST_START ? postStart : preStop;
  }
}
