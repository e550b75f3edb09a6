package dev.vertlet.simulated;

import dev.vertlet.provider.HookRequest.Moment;
import dev.vertlet.provider.ProbeKind;
import org.jspecify.annotations.Nullable;

/** How probes and hooks of one instance go, and how often each probe was answered. */
final class CheckBook {
  private final Checks checks;
  private final int[] answered = new int[ProbeKind.values().length];

  private CheckBook(Checks checks) {
    this.checks = checks;
  }

  /** Null where nothing is said of probes and hooks, as for most instances. */
  static @Nullable CheckBook of(Checks checks) {
    return checks.equals(Checks.UNSET) ? null : new CheckBook(checks);
  }

  /**
   * What a probe gets.
   *
   * @param age of the instance, milliseconds
   */
  ProbeScript.Answer probe(ProbeKind kind, long age) {
    return checks.probe(kind).answer(age, answered[kind.ordinal()]++);
  }

  @Nullable HookScript hook(Moment moment) {
    return checks.hook(moment);
  }
}
