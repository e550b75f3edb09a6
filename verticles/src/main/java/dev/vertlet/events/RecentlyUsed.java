package dev.vertlet.events;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that forget what was longest not asked for. */
final class RecentlyUsed {
  private RecentlyUsed() {}

  /**
   * @param most entries, at least 1
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
