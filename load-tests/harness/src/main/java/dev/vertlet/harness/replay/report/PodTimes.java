package dev.vertlet.harness.replay.report;

/**
 * One pod of a run.
 *
 * @param name namespace and name
 * @param workload top owner as {@code Deployment default/web}
 * @param node that it was bound to; empty for none
 * @param demand sum of its requests
 * @param initial whether it is older than the run, so that its latencies are not of the run
 */
public record PodTimes(
    String name, String workload, String node, Demand demand, boolean initial, Moments at) {
  /** A moment that did not come. */
  public static final long NEVER = -1;

  /**
   * Moments of a pod in milliseconds since the start of the run; {@link #NEVER} for one that did
   * not come.
   *
   * @param created when its object appeared
   * @param scheduled when it was bound to a node
   * @param started when its first regular container ran
   * @param ready when it became Ready for the first time
   * @param ended when all its containers had ended, or its object was gone
   */
  public record Moments(long created, long scheduled, long started, long ready, long ended) {
    /** Returns these moments, each divided by the factor. */
    public Moments dividedBy(double factor) {
      return new Moments(
          divided(created, factor),
          divided(scheduled, factor),
          divided(started, factor),
          divided(ready, factor),
          divided(ended, factor));
    }

    private static long divided(long moment, double factor) {
      return moment == NEVER ? NEVER : Math.round(moment / factor);
    }
  }

  /** Whether it ran at any time. */
  public boolean ran() {
    return at.started != NEVER;
  }

  /** When it ended; {@link #NEVER} for one that outlived the run. */
  public long end() {
    return at.ended;
  }
}
