package dev.vertlet.harness.scenario;

/** Component that assigns pods to nodes. */
public enum Placement {
  /** The load assigns pods evenly: the measurement covers the agent, not a scheduler. */
  BOUND,
  /** The cluster's scheduler. */
  SCHEDULED
}
