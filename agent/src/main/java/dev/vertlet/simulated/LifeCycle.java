package dev.vertlet.simulated;

import dev.vertlet.provider.HookRequest.Moment;
import dev.vertlet.provider.ProbeKind;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a container's life. Null means: not said here, the next source or the default
 * counts.
 *
 * @param pullDelay time a pull takes when the node does not have the image; default none
 * @param startDelay from the order to start until the container runs; default none
 * @param readyDelay from the start until the container is ready; default: no readiness check
 * @param runFor from the start until the container ends by itself; default: for ever, except init
 *     containers and those of a Job's pod, which end at once
 * @param exitCode of a container that ended by itself, 0 to 255; default 0
 * @param stopDelay from TERM until the container ends with exit code 0; never: it waits for KILL
 *     (137); default: at once
 * @param pullError what a pull fails with after {@code pullDelay}
 * @param startError what a start fails with after {@code startDelay}
 * @param checks how its probes and hooks go
 * @param consumption what it takes of its node while it runs
 */
public record LifeCycle(
    @Nullable DurationRule pullDelay,
    @Nullable DurationRule startDelay,
    @Nullable DurationRule readyDelay,
    @Nullable DurationRule runFor,
    @Nullable Integer exitCode,
    @Nullable DurationRule stopDelay,
    @Nullable String pullError,
    @Nullable String startError,
    Checks checks,
    Consumption consumption) {
  /** Says nothing. */
  public static final LifeCycle UNSET =
      new LifeCycle(null, null, null, null, null, null, null, null);

  /** One that says nothing of probes, hooks and consumption. */
  public LifeCycle(
      @Nullable DurationRule pullDelay,
      @Nullable DurationRule startDelay,
      @Nullable DurationRule readyDelay,
      @Nullable DurationRule runFor,
      @Nullable Integer exitCode,
      @Nullable DurationRule stopDelay,
      @Nullable String pullError,
      @Nullable String startError) {
    this(
        pullDelay,
        startDelay,
        readyDelay,
        runFor,
        exitCode,
        stopDelay,
        pullError,
        startError,
        Checks.UNSET,
        Consumption.UNSET);
  }

  private static final int MAX_EXIT_CODE = 255;

  public LifeCycle {
    if (exitCode != null && (exitCode < 0 || exitCode > MAX_EXIT_CODE)) {
      throw new IllegalArgumentException("exitCode must be from 0 to 255, got " + exitCode);
    }
  }

  /**
   * This life cycle with one setting read from text.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  public LifeCycle with(Setting setting, String text) {
    LifeCycle change =
        switch (setting) {
          case PULL_DELAY -> of(DurationRule.parse(text), null, null, null, null);
          case START_DELAY -> of(null, DurationRule.parse(text), null, null, null);
          case READY_DELAY -> of(null, null, DurationRule.parse(text), null, null);
          case RUN_FOR -> of(null, null, null, DurationRule.parse(text), null);
          case STOP_DELAY -> of(null, null, null, null, DurationRule.parse(text));
          case EXIT_CODE ->
              new LifeCycle(null, null, null, null, parseExitCode(text), null, null, null);
          case PULL_ERROR -> new LifeCycle(null, null, null, null, null, null, text, null);
          case START_ERROR -> new LifeCycle(null, null, null, null, null, null, null, text);
          case STARTUP_PROBE -> of(Checks.of(ProbeKind.STARTUP, ProbeScript.parse(text)));
          case LIVENESS_PROBE -> of(Checks.of(ProbeKind.LIVENESS, ProbeScript.parse(text)));
          case READINESS_PROBE -> of(Checks.of(ProbeKind.READINESS, ProbeScript.parse(text)));
          case POST_START -> of(Checks.of(Moment.POST_START, HookScript.parse(text)));
          case PRE_STOP -> of(Checks.of(Moment.PRE_STOP, HookScript.parse(text)));
          case MEMORY_USAGE -> of(new Consumption(Consumption.bytes(text), null));
          case STORAGE_USAGE -> of(new Consumption(null, Consumption.bytes(text)));
        };
    return change.or(this);
  }

  /** This life cycle; where it says nothing, {@code fallback} counts. */
  public LifeCycle or(LifeCycle fallback) {
    return new LifeCycle(
        pullDelay != null ? pullDelay : fallback.pullDelay,
        startDelay != null ? startDelay : fallback.startDelay,
        readyDelay != null ? readyDelay : fallback.readyDelay,
        runFor != null ? runFor : fallback.runFor,
        exitCode != null ? exitCode : fallback.exitCode,
        stopDelay != null ? stopDelay : fallback.stopDelay,
        pullError != null ? pullError : fallback.pullError,
        startError != null ? startError : fallback.startError,
        checks.or(fallback.checks),
        consumption.or(fallback.consumption));
  }

  /** Without how and when the container ends by itself. */
  LifeCycle withoutEnd() {
    return new LifeCycle(
        pullDelay,
        startDelay,
        readyDelay,
        null,
        null,
        stopDelay,
        pullError,
        startError,
        checks,
        consumption);
  }

  private static LifeCycle of(Checks checks) {
    return new LifeCycle(null, null, null, null, null, null, null, null, checks, Consumption.UNSET);
  }

  private static LifeCycle of(Consumption consumption) {
    return new LifeCycle(null, null, null, null, null, null, null, null, Checks.UNSET, consumption);
  }

  private static LifeCycle of(
      @Nullable DurationRule pullDelay,
      @Nullable DurationRule startDelay,
      @Nullable DurationRule readyDelay,
      @Nullable DurationRule runFor,
      @Nullable DurationRule stopDelay) {
    return new LifeCycle(pullDelay, startDelay, readyDelay, runFor, null, stopDelay, null, null);
  }

  private static Integer parseExitCode(String text) {
    if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > MAX_EXIT_CODE) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no exit code: want a number from 0 to 255");
    }
    return Integer.valueOf(text);
  }
}
