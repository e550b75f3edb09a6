package dev.vertlet.harness.load;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.RunResult.Restart;
import java.util.List;

/**
 * Everything measured so far.
 *
 * @param phases those that ended, and the one that runs
 * @param leaseGaps between renewals of each node's lease, but for those of warm-ups
 * @param nodeFlips how often a node that was Ready was not any more
 * @param podFlips the same of pods that nobody asked to go
 * @param lost pods that failed, vanished unasked, or were given up
 * @param errors requests that failed
 * @param lastError what failed or was lost last; empty for none
 * @param restarts of the subject
 */
public record Measurements(
    List<PhaseResult> phases,
    Latencies leaseGaps,
    int nodeFlips,
    int podFlips,
    int lost,
    int errors,
    String lastError,
    List<Restart> restarts) {
  public Measurements {
    phases = List.copyOf(phases);
    restarts = List.copyOf(restarts);
  }
}
