package dev.vertlet.harness.scenario;

import dev.vertlet.config.document.Section;
import dev.vertlet.harness.scenario.ScheduledFault.Kind;
import dev.vertlet.problem.Problems;
import java.time.Duration;

/** Reads one fault. */
final class FaultReader {
  /** Default duration: the shortest Retry-After, and long enough for a process to end. */
  private static final Duration USUAL = Duration.ofSeconds(1);

  private static final int USUAL_CODE = 503;

  private final Problems problems;

  FaultReader(Problems problems) {
    this.problems = problems;
  }

  ScheduledFault read(Section fault) {
    Duration every = fault.duration("every", Duration.ZERO);
    if (fault.has("every") && every.isZero()) {
      problems.refuse(
          fault.pointer("every"),
          fault.text("every", ""),
          "must be above 0s; leave it out for a fault that happens once");
    }
    return new ScheduledFault(fault.duration("at", Duration.ZERO), every, kind(fault));
  }

  private static Kind kind(Section fault) {
    if (fault.has("latency")) {
      Section latency = fault.section("latency");
      return new ScheduledFault.Latency(
          latency.duration("by", Duration.ZERO),
          latency.text("verb", "*"),
          latency.text("resource", "*"),
          latency.number("share", 1.0),
          lasting(latency));
    }
    if (fault.has("errors")) {
      Section errors = fault.section("errors");
      return new ScheduledFault.Errors(
          errors.number("code", USUAL_CODE),
          errors.duration("retryAfter", USUAL),
          errors.text("verb", "*"),
          errors.text("resource", "*"),
          errors.number("share", 1.0),
          lasting(errors));
    }
    if (fault.has("cutWatches")) {
      return new ScheduledFault.CutWatches();
    }
    if (fault.has("refuse")) {
      return new ScheduledFault.Refuse(lasting(fault.section("refuse")));
    }
    if (fault.has("freeze")) {
      return new ScheduledFault.Freeze(lasting(fault.section("freeze")));
    }
    if (fault.has("restartApiServer")) {
      return new ScheduledFault.RestartApiServer(
          fault.section("restartApiServer").duration("down", USUAL));
    }
    Section restart = fault.section("restartSubject");
    return new ScheduledFault.RestartSubject(
        restart.duration("down", USUAL), restart.flag("orderly"));
  }

  private static Duration lasting(Section fault) {
    return fault.duration("for", Duration.ZERO);
  }
}
