package dev.vertlet.simulated;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a running container takes of its node. Null means: not said here; by default nothing.
 *
 * @param cpu billionths of a core
 * @param memory bytes
 * @param storage bytes of the node's file system
 */
public record Consumption(
    @Nullable UsageRule cpu, @Nullable UsageRule memory, @Nullable UsageRule storage) {
  /** Says nothing. */
  public static final Consumption UNSET = new Consumption(null, null, null);

  /**
   * What a node itself takes, and what people are shown of a container of which nothing is said:
   * hardly anything. Not nothing, since metrics-server takes that for a measurement that failed. No
   * eviction goes by it.
   */
  static final Consumption IDLE =
      new Consumption(
          UsageRule.parse("1m", true), UsageRule.parse("1Mi", false), UsageRule.NOTHING);

  Consumption or(Consumption fallback) {
    if (fallback == UNSET) {
      return this;
    }
    return this == UNSET
        ? fallback
        : new Consumption(
            cpu != null ? cpu : fallback.cpu,
            memory != null ? memory : fallback.memory,
            storage != null ? storage : fallback.storage);
  }

  /**
   * What counts for one instance. The same object where nothing is a share or drawn, so that all
   * containers of a rule share it.
   *
   * @param requests of the container: resource name to quantity
   * @param bits of the instance, as {@code Hash64} makes them
   */
  Consumption resolve(Map<String, String> requests, long bits) {
    UsageRule ownCpu = resolve(cpu, Setting.CPU_USAGE, requests.get("cpu"), bits);
    UsageRule ownMemory = resolve(memory, Setting.MEMORY_USAGE, requests.get("memory"), bits);
    UsageRule ownStorage =
        resolve(storage, Setting.STORAGE_USAGE, requests.get("ephemeral-storage"), bits);
    return ownCpu == cpu && ownMemory == memory && ownStorage == storage
        ? this
        : new Consumption(ownCpu, ownMemory, ownStorage);
  }

  private static @Nullable UsageRule resolve(
      @Nullable UsageRule rule, Setting setting, @Nullable String request, long bits) {
    if (rule == null) {
      return null;
    }
    long amount =
        request == null ? 0 : UsageRule.Level.parse(request, setting == Setting.CPU_USAGE).amount();
    return rule.resolve(amount, Hash64.of(bits, setting.key()));
  }

  /** Nothing is said of what evictions go by. */
  boolean none() {
    return memory == null && storage == null;
  }
}
