package dev.vertlet.harness.scenario;

import java.time.Duration;
import java.util.List;

/**
 * Arrival process of a phase's requests. A burst is a closed loop; the others are open loops, in
 * which each request has a due time from which its latency counts. A server that stalls therefore
 * does not hide the latency of waiting requests (coordinated omission).
 */
public sealed interface Arrival {
  /**
   * Closed loop: sends as fast as the server answers. A request's latency starts when it is sent.
   *
   * @param window limit of requests in flight
   */
  record Burst(int window) implements Arrival {
    /** Default window: below the 100 streams that an API server allows on a connection. */
    public static final int WINDOW = 64;
  }

  /** Constant intervals. */
  record Constant(double perSecond) implements Arrival {}

  /** Exponential intervals, as from many independent users. */
  record Poisson(double perSecond) implements Arrival {}

  /** Constant rates, one after the other; the last one continues until all requests are sent. */
  record Steps(List<Step> steps) implements Arrival {
    public Steps {
      steps = List.copyOf(steps);
    }
  }

  /** One rate of {@link Steps}. */
  record Step(double perSecond, Duration lasting) {}

  /** Given times after the start, in ascending order. */
  record Trace(List<Duration> due) implements Arrival {
    public Trace {
      due = List.copyOf(due);
    }
  }
}
