/**
 * Puts the phases of a scenario on a cluster and measures, from outside, what its users get: how
 * long after a create the watch shows a pod Ready, how long after a delete it is gone, how evenly
 * leases are renewed.
 *
 * <p>{@link dev.vertlet.harness.load.PodLoad} is the one verticle; it owns an event loop, its
 * connections and everything measured. What decides and counts is pure and told the time: {@code
 * Population} knows the pods, {@code PhaseMeter} the figures of a phase. Data flows one way: {@code
 * PhaseRun} acts, the watches see what becomes of it, and the phase ends when nothing is left to
 * come. Not promised: figures free of what the measuring process itself takes from a machine that
 * it shares with what it measures.
 */
@NullMarked
package dev.vertlet.harness.load;

import org.jspecify.annotations.NullMarked;
