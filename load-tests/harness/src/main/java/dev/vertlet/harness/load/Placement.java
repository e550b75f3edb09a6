package dev.vertlet.harness.load;

/** Who decides on which node a pod runs. */
public enum Placement {
  /** The plan, evenly: what is measured is the agent, not a scheduler. */
  BOUND,
  /** The cluster's scheduler. The nodes are open to every pod, also to those of others. */
  SCHEDULED
}
