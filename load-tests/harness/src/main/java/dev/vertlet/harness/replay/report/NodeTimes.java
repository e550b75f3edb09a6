package dev.vertlet.harness.replay.report;

/**
 * One node of a run.
 *
 * @param group pool or shape, by which placements are compared
 * @param allocatable what it offers to pods
 * @param came milliseconds since the start of the run
 * @param left like {@code came}; {@link PodTimes#NEVER} for one that stayed
 */
public record NodeTimes(String name, String group, Demand allocatable, long came, long left) {}
