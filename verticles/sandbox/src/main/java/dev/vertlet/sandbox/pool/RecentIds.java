package dev.vertlet.sandbox.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Ids with a recent event. Pure except for its own fields. */
final class RecentIds {
  /** After this time, a client without an answer has retried or given up. */
  private static final Duration TTL = Duration.ofMinutes(10);

  private static final int MOST = 10_000;

  private final Map<String, Instant> until = new LinkedHashMap<>();

  void add(String id, Instant now) {
    until.remove(id);
    until.put(id, now.plus(TTL));
    if (until.size() > MOST) {
      until.remove(until.keySet().iterator().next());
    }
  }

  void remove(String id) {
    until.remove(id);
  }

  boolean contains(String id, Instant now) {
    Instant end = until.get(id);
    return end != null && now.isBefore(end);
  }
}
