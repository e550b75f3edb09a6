package dev.vertlet.replicas;

import java.time.Duration;

/**
 * Settings of a group of agents.
 *
 * @param namespace of the members' Leases
 * @param group whose members divide the nodes; a label value
 * @param identity of this member, and of the agent in the Leases of nodes
 * @param duration how long a silent member counts as alive, whole seconds
 * @param renewInterval between renewals, at most half of {@code duration}
 */
public record ReplicaOptions(
    String namespace, String group, String identity, Duration duration, Duration renewInterval) {
  /** Label of members' Leases, with the group as its value. */
  static final String GROUP_LABEL = "vertlet.dev/replicas";

  /** Annotation of members' Leases: a digest of the names of the nodes that they divide. */
  static final String NODES_ANNOTATION = "vertlet.dev/replicas-nodes";

  public ReplicaOptions {
    if (renewInterval.multipliedBy(2).compareTo(duration) > 0) {
      throw new IllegalArgumentException(
          "replicas.renewInterval must be at most half of replicas.duration "
              + duration
              + ", got "
              + renewInterval);
    }
  }

  /** Name of this member's Lease. */
  String leaseName() {
    return "vertlet-" + group + "-" + identity;
  }

  /** How long after the start of its last renewal a member counts itself as a member. */
  Duration holdFor() {
    return duration.multipliedBy(3).dividedBy(4);
  }
}
