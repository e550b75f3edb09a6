package dev.vertlet.sandbox.pool;

import java.time.Instant;

/** Ids that must not be served any more, or are not known for a reason. Pure but for its fields. */
final class EndedIds {
  private final RecentIds abandoned = new RecentIds();
  private final RecentIds released = new RecentIds();

  /** Its claim has failed although a write may have got through: a pod that has it goes back. */
  void abandon(String id, Instant now) {
    abandoned.add(id, now);
  }

  /** Its pod is on its way back; should it have a second one, that goes, too. */
  void release(String id, Instant now) {
    released.add(id, now);
    abandoned.add(id, now);
  }

  /** It ended before it had a pod. */
  void cancel(String id, Instant now) {
    released.add(id, now);
  }

  /** It is asked for anew. */
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
