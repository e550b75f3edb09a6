package dev.vertlet.lifecycle.pod;

import java.util.HashSet;
import java.util.Set;

/**
 * The logs of one pod that are being read for termination messages of failed instances. Until they
 * are read, no status of the pod is reported and its sandbox stays, so that an end and its message
 * appear together.
 */
public final class MessageReads {
  /** Limit of reading a log, after which the instance has no message, milliseconds. */
  private static final long LIMIT = 10_000;

  private final Set<String> instances = new HashSet<>(2);
  private long until;

  void begin(String instance, long now) {
    instances.add(instance);
    until = now + LIMIT;
  }

  /** Ends the reading of a log; returns whether it was awaited. */
  boolean done(String instance) {
    return instances.remove(instance);
  }

  boolean over() {
    return instances.isEmpty();
  }

  /** When the wait for logs ends, epoch milliseconds. */
  public long until() {
    return until;
  }
}
