package dev.vertlet.harness.load;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.RunResult.Outage;
import dev.vertlet.harness.result.RunResult.Restart;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import java.util.List;

/**
 * All measurements so far.
 *
 * @param phases finished phases and the running one
 * @param leaseGaps gaps between renewals of each node's lease, except during warm-ups
 * @param nodeFlips number of times that a Ready node became NotReady
 * @param podFlips number of times that a Ready pod became unready without a deletion
 * @param lost pods that failed, vanished without a deletion, or were given up
 * @param errors failed requests
 * @param lastError last failed request or lost pod; empty for none
 * @param restarts restarts of the subject
 * @param outages outages of the API server that have ended
 * @param startups start-up of pods, without image pulls where the scenario judges it
 * @param requests latencies of the load's own requests
 */
public record Measurements(
    List<PhaseResult> phases,
    Latencies leaseGaps,
    int nodeFlips,
    int podFlips,
    int lost,
    int errors,
    String lastError,
    List<Restart> restarts,
    List<Outage> outages,
    Latencies startups,
    List<RequestLatency> requests) {
  public Measurements {
    phases = List.copyOf(phases);
    restarts = List.copyOf(restarts);
    outages = List.copyOf(outages);
    requests = List.copyOf(requests);
  }
}
