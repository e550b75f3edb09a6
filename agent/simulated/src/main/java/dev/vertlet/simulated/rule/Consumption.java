package dev.vertlet.simulated.rule;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resource usage of a running container. Null means unset; by default nothing.
 *
 * @param cpu billionths of a core
 * @param memory bytes
 * @param storage bytes on the node's file system
 */
public record Consumption(
    @Nullable UsageRule cpu, @Nullable UsageRule memory, @Nullable UsageRule storage) {
  /** Sets nothing. */
  public static final Consumption UNSET = new Consumption(null, null, null);

  /**
   * Usage of the node itself, and usage shown for a container without usage settings. It is not
   * zero, because metrics-server treats zero as a failed measurement. Containers without usage
   * settings never cause an eviction.
   */
  public static final Consumption IDLE =
      new Consumption(
          UsageRule.parse("1m", true), UsageRule.parse("1Mi", false), UsageRule.NOTHING);

  public Consumption or(Consumption fallback) {
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
   * Resolves the rules for one instance. Returns this object when no rule is a share or drawn, so
   * that all containers of a rule share it.
   *
   * @param requests the container's requests: resource name to quantity
   * @param bits random bits of the instance from {@code Hash64}
   */
  public Consumption resolve(Map<String, String> requests, long bits) {
    UsageRule ownCpu = resolve(cpu, RuleKey.CPU_USAGE, requests.get("cpu"), bits);
    UsageRule ownMemory = resolve(memory, RuleKey.MEMORY_USAGE, requests.get("memory"), bits);
    UsageRule ownStorage =
        resolve(storage, RuleKey.STORAGE_USAGE, requests.get("ephemeral-storage"), bits);
    return ownCpu == cpu && ownMemory == memory && ownStorage == storage
        ? this
        : new Consumption(ownCpu, ownMemory, ownStorage);
  }

  private static @Nullable UsageRule resolve(
      @Nullable UsageRule rule, RuleKey setting, @Nullable String request, long bits) {
    if (rule == null) {
      return null;
    }
    long amount =
        request == null ? 0 : UsageRule.Level.parse(request, setting == RuleKey.CPU_USAGE).amount();
    return rule.resolve(amount, Hash64.of(bits, setting.key()));
  }

  /** Returns whether the resources that evictions measure are unset. */
  public boolean none() {
    return memory == null && storage == null;
  }
}
