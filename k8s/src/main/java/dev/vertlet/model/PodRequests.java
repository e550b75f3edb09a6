package dev.vertlet.model;

import java.util.Map;

/**
 * An amount of each resource.
 *
 * @param milliCpu thousandths of a CPU
 * @param memory bytes
 * @param ephemeralStorage bytes
 * @param others extended resources and huge pages by name, whole units, none of them 0
 */
public record PodRequests(
    long milliCpu, long memory, long ephemeralStorage, Map<String, Long> others) {
  public static final PodRequests NONE = new PodRequests(0, 0, 0, Map.of());

  public PodRequests {
    others = Map.copyOf(others);
  }

  public boolean isEmpty() {
    return milliCpu == 0 && memory == 0 && ephemeralStorage == 0 && others.isEmpty();
  }
}
