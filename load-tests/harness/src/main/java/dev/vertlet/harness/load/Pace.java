package dev.vertlet.harness.load;

/** When the requests of a phase are sent. */
public sealed interface Pace {
  /** In flight at most in a burst: an API server allows 100 streams on a connection. */
  int BURST_WINDOW = 64;

  /**
   * As fast as the server answers, {@value #BURST_WINDOW} requests in flight. A request's latency
   * begins when it is sent.
   */
  record Burst() implements Pace {}

  /**
   * At a constant rate, however slowly the server answers. A request's latency begins when it
   * should have been sent: a server that stalls must not stop the clock of those who wait for it
   * (coordinated omission).
   *
   * @param perSecond above 0
   */
  record Constant(double perSecond) implements Pace {
    public Constant {
      if (!(perSecond > 0)) {
        throw new IllegalArgumentException("perSecond must be above 0, got " + perSecond);
      }
    }

    /** When request {@code index} is due, in nanoseconds after the first. */
    long dueNanos(int index) {
      return (long) (index * 1e9 / perSecond);
    }
  }
}
