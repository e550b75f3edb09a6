package dev.vertlet.harness.scenario;

/** Who decides on which node a pod runs. */
public enum Placement {
  /** The load, evenly: what is measured is the agent, not a scheduler. */
  BOUND,
  /** The cluster's scheduler. */
  SCHEDULED
}
