/**
 * Runs the phases of a scenario against a cluster and measures from outside what its users see: the
 * latency from create to Ready and from delete to gone in a watch, and the intervals of lease
 * renewals.
 *
 * <p>{@link dev.vertlet.harness.load.PodLoad} is the one verticle; it owns an event loop, its
 * connections and all measurements. Decisions and counters are pure and take the time as an
 * argument: {@code Population} tracks the pods, {@code PhaseMeter} the figures of a phase. Data
 * flows one way: {@code PhaseRun} sends requests, the watches observe the results, and the phase
 * ends when no result is outstanding. Not promised: figures without the influence of the measuring
 * process on a machine that it shares with the subject.
 */
@NullMarked
package dev.vertlet.harness.load;

import org.jspecify.annotations.NullMarked;
