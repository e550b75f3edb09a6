package dev.vertlet.harness.scenario;

import java.time.Duration;
import java.util.List;

/**
 * When the requests of a phase are sent. Except for a burst, each has a time at which it is due and
 * from which its latency counts, however slowly the server answers: one that stalls must not stop
 * the clock of those who wait for it (coordinated omission).
 */
public sealed interface Arrival {
  /**
   * As fast as the server answers. A request's latency begins when it is sent.
   *
   * @param window requests in flight at most
   */
  record Burst(int window) implements Arrival {
    /** As many as a client keeps in flight: an API server allows 100 streams on a connection. */
    public static final int WINDOW = 64;
  }

  /** At equal distances. */
  record Constant(double perSecond) implements Arrival {}

  /** At random distances, as from many independent users. */
  record Poisson(double perSecond) implements Arrival {}

  /** At constant rates, one after the other; the last one goes on until all are sent. */
  record Steps(List<Step> steps) implements Arrival {
    public Steps {
      steps = List.copyOf(steps);
    }
  }

  /** One rate of {@link Steps}. */
  record Step(double perSecond, Duration lasting) {}

  /** At given times after the beginning, in ascending order. */
  record Trace(List<Duration> due) implements Arrival {
    public Trace {
      due = List.copyOf(due);
    }
  }
}
