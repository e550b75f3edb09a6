package dev.vertlet.replicas;

import dev.vertlet.problem.Problems;
import dev.vertlet.problem.RefusedSettingsException;
import java.time.Duration;

/**
 * Section {@code replicas}: several agents that divide the nodes. The times are those of the leader
 * election of Kubernetes' controllers.
 *
 * @param enabled whether this agent is one of several
 * @param group whose members divide the nodes; a label value
 * @param namespace of the members' Leases; empty for the agent's own
 * @param duration term of a member's Lease, after which it loses its share; whole seconds, 1 s to 1
 *     h
 * @param renewInterval between renewals, at most half of {@code duration}
 */
public record ReplicaOptions(
    boolean enabled, String group, String namespace, Duration duration, Duration renewInterval) {
  /** Label of members' Leases, with the group as its value. */
  static final String GROUP_LABEL = "vertlet.dev/replicas";

  /** Annotation of members' Leases: a digest of the names of the nodes that they divide. */
  static final String NODES_ANNOTATION = "vertlet.dev/replicas-nodes";

  /**
   * @throws RefusedSettingsException with keys, values and what is allowed
   */
  public ReplicaOptions {
    new Problems()
        .that(
            group.matches("[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?"),
            "group",
            group,
            "must be 1 to 40 lower case letters, digits and -")
        .leaseTerm("replicas", duration, renewInterval)
        .done(RefusedSettingsException::new);
  }

  /** Returns options with the namespace of the agent where none is given. */
  public ReplicaOptions orIn(String own) {
    return namespace.isEmpty()
        ? new ReplicaOptions(enabled, group, own, duration, renewInterval)
        : this;
  }

  /** Name of a member's Lease. */
  String leaseName(String identity) {
    return "vertlet-" + group + "-" + identity;
  }

  /** How long after the start of its last renewal a member counts itself as a member. */
  Duration holdFor() {
    return duration.multipliedBy(3).dividedBy(4);
  }
}
