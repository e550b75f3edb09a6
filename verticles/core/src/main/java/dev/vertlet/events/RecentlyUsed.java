package dev.vertlet.events;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that drop the least recently used entry. */
final class RecentlyUsed {
  private RecentlyUsed() {}

  /**
   * Creates a map.
   *
   * @param most maximum number of entries, at least 1
   */
  static <K, V> Map<K, V> map(int most) {
    return new LinkedHashMap<>(64, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }
}
