package dev.vertlet.simulated.rule;

import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.provider.probe.ProbeKind;
import org.jspecify.annotations.Nullable;

/** Scripts of one instance's probes and hooks, with a count of answers by probe kind. */
public final class CheckBook {
  private final Checks checks;
  private final int[] answered = new int[ProbeKind.values().length];

  private CheckBook(Checks checks) {
    this.checks = checks;
  }

  /** Creates the scripts; null when no probe or hook has one, as for most instances. */
  public static @Nullable CheckBook of(Checks checks) {
    return checks.equals(Checks.UNSET) ? null : new CheckBook(checks);
  }

  /**
   * Returns the next answer to a probe.
   *
   * @param age age of the instance in milliseconds
   */
  public ProbeScript.Answer probe(ProbeKind kind, long age) {
    return checks.probe(kind).answer(age, answered[kind.ordinal()]++);
  }

  public @Nullable HookScript hook(Moment moment) {
    return checks.hook(moment);
  }
}
