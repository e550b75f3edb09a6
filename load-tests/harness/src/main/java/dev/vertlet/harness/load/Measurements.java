package dev.vertlet.harness.load;

/**
 * Everything measured so far.
 *
 * @param leaseGaps between renewals of each node's lease
 * @param nodeFlips how often a node that was Ready was not any more
 * @param podFlips the same of pods that nobody asked to go
 * @param errors requests that failed and had to be sent again, and pods that vanished
 * @param lastError empty for none
 */
public record Measurements(
    PhaseResult up,
    PhaseResult down,
    Latencies leaseGaps,
    int nodeFlips,
    int podFlips,
    int errors,
    String lastError) {}
