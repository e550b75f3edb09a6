package dev.vertlet.kubelet.pod;

import java.util.HashSet;
import java.util.Set;

/**
 * The logs of one pod that are being read for termination messages of failed instances; immutable.
 * Until they are read, no status of the pod is reported and its sandbox stays, so that an end and
 * its message appear together.
 *
 * @param instances ids of the instances
 * @param until when the wait for logs ends, epoch milliseconds
 */
public record LogReads(Set<String> instances, long until) {
  /** No log is being read; shared by all pods. */
  public static final LogReads NONE = new LogReads(Set.of(), Long.MAX_VALUE);

  /** Limit of reading a log, after which the instance has no message, milliseconds. */
  private static final long LIMIT = 10_000;

  public boolean pending() {
    return !instances.isEmpty();
  }

  /** Adds an instance, and prolongs the wait. */
  public LogReads with(String instance, long now) {
    Set<String> all = new HashSet<>(instances);
    all.add(instance);
    return new LogReads(all, now + LIMIT);
  }

  /** Drops an instance. */
  public LogReads without(String instance) {
    Set<String> left = new HashSet<>(instances);
    left.remove(instance);
    return left.isEmpty() ? NONE : new LogReads(left, until);
  }
}
