package dev.vertlet.simulated.rule;

import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.provider.probe.ProbeKind;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a container's life. The next source, and finally the default, applies to unset ones.
 *
 * @param times duration by setting
 * @param exitCode exit code of a container that ends by itself; null for unset
 * @param errors failures on the way to the start
 * @param checks results of probes and hooks
 * @param consumption resource usage while it runs
 * @param talk logs, ports and termination message
 */
public record LifeCycle(
    Map<RuleKey, DurationRule> times,
    @Nullable ExitCodes exitCode,
    StartErrors errors,
    Checks checks,
    Consumption consumption,
    ContainerOutput talk) {
  /** Sets nothing. */
  public static final LifeCycle UNSET =
      new LifeCycle(
          Map.of(),
          null,
          StartErrors.UNSET,
          Checks.UNSET,
          Consumption.UNSET,
          ContainerOutput.UNSET);

  public LifeCycle {
    times = Map.copyOf(times);
  }

  /**
   * Parses one setting and returns this life cycle with it.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  public LifeCycle with(RuleKey setting, String text) {
    LifeCycle change =
        switch (setting) {
          case SANDBOX_DELAY,
              PULL_DELAY,
              START_DELAY,
              READY_DELAY,
              RESIZE_DELAY,
              RUN_FOR,
              OOM_AFTER,
              STOP_DELAY,
              KILL_DELAY ->
              of(Map.of(setting, DurationRule.parse(text)), null);
          case EXIT_CODE -> of(Map.of(), ExitCodes.parse(text));
          case SANDBOX_ERROR -> of(new StartErrors(text, null, null, null));
          case PULL_ERROR -> of(new StartErrors(null, text, null, null));
          case START_ERROR -> of(new StartErrors(null, null, text, null));
          case RESIZE_ERROR -> of(new StartErrors(null, null, null, text));
          case STARTUP_PROBE -> of(Checks.of(ProbeKind.STARTUP, ProbeScript.parse(text)));
          case LIVENESS_PROBE -> of(Checks.of(ProbeKind.LIVENESS, ProbeScript.parse(text)));
          case READINESS_PROBE -> of(Checks.of(ProbeKind.READINESS, ProbeScript.parse(text)));
          case POST_START -> of(Checks.of(Moment.POST_START, HookScript.parse(text)));
          case PRE_STOP -> of(Checks.of(Moment.PRE_STOP, HookScript.parse(text)));
          case CPU_USAGE -> of(new Consumption(UsageRule.parse(text, true), null, null));
          case MEMORY_USAGE -> of(new Consumption(null, UsageRule.parse(text, false), null));
          case STORAGE_USAGE -> of(new Consumption(null, null, UsageRule.parse(text, false)));
          case LOG_RATE -> of(new ContainerOutput(LogRate.parse(text), null, null, null, null));
          case LOG_LINE -> of(new ContainerOutput(null, new LogTemplate(text), null, null, null));
          case LOG_ERROR_EVERY ->
              of(new ContainerOutput(null, null, ContainerOutput.errorEvery(text), null, null));
          case TERMINATION_MESSAGE -> of(ContainerOutput.ofMessage(text));
          case PORTS -> of(new ContainerOutput(null, null, null, ListeningPorts.parse(text), null));
        };
    return change.or(this);
  }

  /** Returns this life cycle with unset values taken from {@code fallback}. */
  public LifeCycle or(LifeCycle fallback) {
    if (fallback == UNSET) {
      return this;
    }
    if (this == UNSET) {
      return fallback;
    }
    Map<RuleKey, DurationRule> all = new EnumMap<>(RuleKey.class);
    all.putAll(fallback.times);
    all.putAll(times);
    return new LifeCycle(
        all,
        exitCode != null ? exitCode : fallback.exitCode,
        errors.or(fallback.errors),
        checks.or(fallback.checks),
        consumption.or(fallback.consumption),
        talk.or(fallback.talk));
  }

  /** Returns the duration rule of a setting; {@code fallback} when it is unset. */
  public DurationRule time(RuleKey setting, DurationRule fallback) {
    return times.getOrDefault(setting, fallback);
  }

  /** Returns a copy without run time, exit code and termination message. */
  public LifeCycle withoutEnd() {
    if (this == UNSET) {
      return this;
    }
    Map<RuleKey, DurationRule> others = new EnumMap<>(RuleKey.class);
    others.putAll(times);
    others.remove(RuleKey.RUN_FOR);
    others.remove(RuleKey.OOM_AFTER);
    return new LifeCycle(others, null, errors, checks, consumption, talk.withoutMessage());
  }

  private static LifeCycle of(Map<RuleKey, DurationRule> times, @Nullable ExitCodes exitCode) {
    return new LifeCycle(
        times, exitCode, StartErrors.UNSET, Checks.UNSET, Consumption.UNSET, ContainerOutput.UNSET);
  }

  private static LifeCycle of(StartErrors errors) {
    return new LifeCycle(
        Map.of(), null, errors, Checks.UNSET, Consumption.UNSET, ContainerOutput.UNSET);
  }

  private static LifeCycle of(Checks checks) {
    return new LifeCycle(
        Map.of(), null, StartErrors.UNSET, checks, Consumption.UNSET, ContainerOutput.UNSET);
  }

  private static LifeCycle of(Consumption consumption) {
    return new LifeCycle(
        Map.of(), null, StartErrors.UNSET, Checks.UNSET, consumption, ContainerOutput.UNSET);
  }

  private static LifeCycle of(ContainerOutput talk) {
    return new LifeCycle(Map.of(), null, StartErrors.UNSET, Checks.UNSET, Consumption.UNSET, talk);
  }
}
