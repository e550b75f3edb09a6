package dev.vertlet.sandbox.pool;

import java.time.Instant;

/** Recently ended ids. Pure except for its own fields. */
final class EndedIds {
  private final RecentIds abandoned = new RecentIds();
  private final RecentIds released = new RecentIds();

  /** The claim has failed although its write may have succeeded: a pod with this id is released. */
  void abandon(String id, Instant now) {
    abandoned.add(id, now);
  }

  /** The claim's pod is being released; a second pod with this id is released, too. */
  void release(String id, Instant now) {
    released.add(id, now);
    abandoned.add(id, now);
  }

  /** The claim ended before it had a pod. */
  void cancel(String id, Instant now) {
    released.add(id, now);
  }

  /** The id is claimed again. */
  void claim(String id) {
    abandoned.remove(id);
  }

  boolean abandoned(String id, Instant now) {
    return abandoned.contains(id, now);
  }

  boolean released(String id, Instant now) {
    return released.contains(id, now);
  }
}
