package dev.vertlet.replicas;

import java.time.Duration;

/**
 * @param namespace of the members' Leases
 * @param group whose members divide the nodes; a label value
 * @param identity this member's, and the agent's in the Leases of nodes
 * @param duration how long a member that is not heard of counts as living, whole seconds
 * @param renewInterval between renewals, at most half of {@code duration}
 */
public record ReplicaOptions(
    String namespace, String group, String identity, Duration duration, Duration renewInterval) {
  /** On the Leases of members, with the group as its value. */
  static final String GROUP_LABEL = "vertlet.dev/replicas";

  /** On the Leases of members: a digest of the names of the nodes that they divide. */
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

  /** Of this member's Lease. */
  String leaseName() {
    return "vertlet-" + group + "-" + identity;
  }

  /** As long after the start of its last renewal a member counts itself as one. */
  Duration holdFor() {
    return duration.multipliedBy(3).dividedBy(4);
  }
}
