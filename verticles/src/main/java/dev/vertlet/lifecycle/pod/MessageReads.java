package dev.vertlet.lifecycle.pod;

import java.util.HashSet;
import java.util.Set;

/**
 * Logs of one pod that are being read for the termination messages of instances that failed and
 * left none. Nothing is shown of the pod, and its sandbox stays, until they are read: so the end
 * and its message are seen together.
 */
public final class MessageReads {
  /** A log that takes longer gives no message, milliseconds. */
  private static final long LIMIT = 10_000;

  private final Set<String> instances = new HashSet<>(2);
  private long until;

  void begin(String instance, long now) {
    instances.add(instance);
    until = now + LIMIT;
  }

  /** The log was read; says whether it was waited for. */
  boolean done(String instance) {
    return instances.remove(instance);
  }

  boolean over() {
    return instances.isEmpty();
  }

  /** When no log is waited for any longer, epoch milliseconds. */
  public long until() {
    return until;
  }
}
