package dev.vertlet.harness.load;

import java.util.HashSet;
import java.util.Set;

/** Deployment of the load, from its create until its last pod is gone. */
final class TrackedDeployment {
  private final String namespace;
  private final String name;
  private final int replicas;
  private final Set<TrackedPod> pods = new HashSet<>();
  private int arrived;
  private boolean ending;

  /** Time of the create or, later, of the delete, in nanoseconds. */
  private long from;

  TrackedDeployment(String namespace, String name, int replicas, long createFrom) {
    this.namespace = namespace;
    this.name = name;
    this.replicas = replicas;
    this.from = createFrom;
  }

  String namespace() {
    return namespace;
  }

  String name() {
    return name;
  }

  long from() {
    return from;
  }

  boolean ending() {
    return ending;
  }

  void end(long deleteFrom) {
    ending = true;
    from = deleteFrom;
  }

  Set<TrackedPod> pods() {
    return pods;
  }

  /** Number of replicas that have not been Ready yet. */
  int missing() {
    return replicas - arrived;
  }

  /** Counts a Ready pod; false for a replacement, whose predecessor was counted. */
  boolean arrive() {
    boolean missed = missing() > 0;
    if (missed) {
      arrived++;
    }
    return missed;
  }

  void giveUp() {
    arrived = replicas;
  }
}
