package dev.vertlet.harness.load;

/**
 * How one way of all pods went: up, from create to Ready, or down, from delete to gone.
 *
 * @param done pods that arrived
 * @param seconds from the first request to the last arrival
 * @param latencies of each pod that arrived
 */
public record PhaseResult(int done, double seconds, Latencies latencies) {
  /** Pods per second over the whole phase, 0 when none arrived. */
  public double perSecond() {
    return done == 0 || seconds <= 0 ? 0 : done / seconds;
  }
}
