package dev.vertlet.auth;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** LRU cache whose entries expire. Uses no I/O; confined to one thread. */
final class ExpiringCache<K, V> {
  private final int capacity;
  private final Clock clock;
  private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

  private record Entry<V>(V value, Instant until) {}

  /**
   * @param capacity maximum number of entries, at least 1
   */
  ExpiringCache(int capacity, Clock clock) {
    this.capacity = capacity;
    this.clock = clock;
  }

  Optional<V> get(K key) {
    Entry<V> entry = entries.get(key);
    if (entry == null) {
      return Optional.empty();
    }
    if (!clock.instant().isBefore(entry.until)) {
      entries.remove(key);
      return Optional.empty();
    }
    return Optional.of(entry.value);
  }

  /**
   * @param ttl lifetime; with zero the entry is not stored
   */
  void put(K key, V value, Duration ttl) {
    if (ttl.isZero()) {
      return;
    }
    entries.put(key, new Entry<>(value, clock.instant().plus(ttl)));
    if (entries.size() > capacity) {
      Map.Entry<K, Entry<V>> eldest = entries.entrySet().iterator().next();
      entries.remove(eldest.getKey());
    }
  }

  void remove(K key) {
    entries.remove(key);
  }

  int size() {
    return entries.size();
  }
}
