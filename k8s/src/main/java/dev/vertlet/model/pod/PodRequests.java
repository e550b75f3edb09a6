package dev.vertlet.model.pod;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requested amount of each resource.
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

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof PodRequests that
            && milliCpu == that.milliCpu
            && memory == that.memory
            && ephemeralStorage == that.ephemeralStorage
            && others.equals(that.others);
  }

  @Override
  public int hashCode() {
    int hash = Long.hashCode(milliCpu);
    hash = 31 * hash + Long.hashCode(memory);
    hash = 31 * hash + Long.hashCode(ephemeralStorage);
    return 31 * hash + others.hashCode();
  }
}
