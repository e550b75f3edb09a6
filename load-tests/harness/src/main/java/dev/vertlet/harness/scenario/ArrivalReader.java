package dev.vertlet.harness.scenario;

import dev.vertlet.config.document.Section;
import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the arrival process of a phase and its number of requests. */
final class ArrivalReader {
  private static final long MOST = 1_000_000;

  private final Path scenario;
  private final Problems problems;

  /**
   * @param scenario scenario file; traces are relative to it
   */
  ArrivalReader(Path scenario, Problems problems) {
    this.scenario = scenario;
    this.problems = problems;
  }

  /** Reads the arrival process of a phase; a burst by default. */
  Arrival read(Section action) {
    Section arrival = action.section("arrival");
    if (arrival.has("constant")) {
      return new Arrival.Constant(arrival.number("constant", 1.0));
    }
    if (arrival.has("poisson")) {
      return new Arrival.Poisson(arrival.number("poisson", 1.0));
    }
    if (arrival.has("steps")) {
      return steps(arrival);
    }
    if (arrival.has("trace")) {
      Path file = scenario.resolveSibling(arrival.text("trace", ""));
      return new Arrival.Trace(TraceFile.read(file));
    }
    return new Arrival.Burst(arrival.number("burst", Arrival.Burst.WINDOW));
  }

  private Arrival steps(Section arrival) {
    List<Section> sections = arrival.sections("steps", (section, place) -> section);
    List<Arrival.Step> steps = new ArrayList<>();
    for (int i = 0; i < sections.size(); i++) {
      Section step = sections.get(i);
      Duration lasting = step.duration("for", Duration.ZERO);
      if (lasting.isZero() && i < sections.size() - 1) {
        problems.about(
            step.pointer("for"), "must be given and above 0s for every step but the last");
      }
      steps.add(new Arrival.Step(step.number("perSecond", 1.0), lasting));
    }
    return new Arrival.Steps(steps);
  }

  /**
   * Number of requests of a phase: the given number, those due within the given duration, or all of
   * the trace.
   *
   * @param key key of the number
   */
  int count(Section action, String key, Arrival arrival) {
    if (action.has(key) && action.has("duration")) {
      problems.about(
          action.pointer("duration"), "\"%s\" says how many: give one of the two".formatted(key));
      return 1;
    }
    if (action.has("duration")) {
      return during(action, arrival);
    }
    if (action.has(key)) {
      return required(action, key, action.number(key, 1), arrival);
    }
    if (arrival instanceof Arrival.Trace trace) {
      return trace.due().size();
    }
    problems.about(
        action.pointer(key), "is missing; give it, or \"duration\" for as many as are due in it");
    return 1;
  }

  /** Limit of requests of a phase that may leave it open. */
  int atMost(Section action, String key, Arrival arrival) {
    if (!action.has(key)) {
      return arrival instanceof Arrival.Trace trace ? trace.due().size() : Integer.MAX_VALUE;
    }
    return required(action, key, action.number(key, 1), arrival);
  }

  /** Checks a required number: a trace must have at least as many times. */
  int required(Section action, String key, int count, Arrival arrival) {
    if (arrival instanceof Arrival.Trace trace && trace.due().size() < count) {
      problems.refuse(
          action.pointer(key),
          count,
          "must be at most %d, which is how many times the trace has"
              .formatted(trace.due().size()));
    }
    return count;
  }

  private int during(Section action, Arrival arrival) {
    String pointer = action.pointer("duration");
    if (arrival instanceof Arrival.Burst) {
      problems.about(
          pointer, "needs an arrival with a rate or a trace: a burst is as short as it can be");
      return 1;
    }
    long count = Arrivals.before(action.duration("duration", Duration.ZERO), arrival);
    if (count < 1 || count > MOST) {
      problems.refuse(
          pointer,
          action.text("duration", ""),
          "must be a time in which from 1 to %,d are due; in this one it is %,d"
              .formatted(MOST, count));
      return 1;
    }
    return (int) count;
  }
}
