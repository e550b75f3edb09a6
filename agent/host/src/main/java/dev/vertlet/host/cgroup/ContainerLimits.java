package dev.vertlet.host.cgroup;

import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.resource.Quantities;
import org.jspecify.annotations.Nullable;

/**
 * CPU and memory that a container may use, in the kernel's units.
 *
 * @param cpuShares weight against other containers, 2 to 262144; 1024 for one requested core
 * @param cpuQuotaMicros CPU time in each period of {@link #PERIOD_MICROS}; -1 for no limit
 * @param memoryBytes -1 for no limit
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/cm/helpers_linux.go">
 *     MilliCPUToQuota and MilliCPUToShares, Kubernetes 1.36.3</a>
 */
public record ContainerLimits(long cpuShares, long cpuQuotaMicros, long memoryBytes) {
  /** Period of the CPU quota. */
  public static final long PERIOD_MICROS = 100_000;

  /** Shares of what requests no CPU. */
  public static final long LEAST_SHARES = 2;

  /** Most shares that the kernel takes. */
  public static final long MOST_SHARES = 262_144;

  private static final long LEAST_QUOTA_MICROS = 1000;
  private static final long MOST_WEIGHT = 10_000;

  /** Converts requests and limits. */
  public static ContainerLimits of(ResourcesView resources) {
    long cpuLimit = milli(resources, "cpu");
    String request = resources.requests().get("cpu");
    long cpu = request == null ? Math.max(cpuLimit, 0) : Quantities.milli(request);
    String memory = limit(resources, "memory");
    return new ContainerLimits(
        Math.min(Math.max(cpu * 1024 / 1000, LEAST_SHARES), MOST_SHARES),
        cpuLimit <= 0 ? -1 : Math.max(cpuLimit * PERIOD_MICROS / 1000, LEAST_QUOTA_MICROS),
        memory == null || Quantities.isZero(memory) ? -1 : Quantities.units(memory));
  }

  private static long milli(ResourcesView resources, String name) {
    String limit = limit(resources, name);
    return limit == null ? -1 : Quantities.milli(limit);
  }

  private static @Nullable String limit(ResourcesView resources, String name) {
    String own = resources.limits().get(name);
    return own == null ? resources.podLimits().get(name) : own;
  }

  /** Returns limits that neither these nor others exceed. */
  public ContainerLimits larger(ContainerLimits other) {
    return new ContainerLimits(
        Math.max(cpuShares, other.cpuShares),
        larger(cpuQuotaMicros, other.cpuQuotaMicros),
        larger(memoryBytes, other.memoryBytes));
  }

  private static long larger(long one, long other) {
    return one < 0 || other < 0 ? -1 : Math.max(one, other);
  }

  /** The shares in cgroup v2's range of 1 to 10000. */
  public long cpuWeight() {
    return weight(cpuShares);
  }

  static long weight(long shares) {
    return 1 + (shares - LEAST_SHARES) * (MOST_WEIGHT - 1) / (MOST_SHARES - LEAST_SHARES);
  }

  /** Returns the least shares that have this weight. */
  static long shares(long weight) {
    long range = MOST_SHARES - LEAST_SHARES;
    return LEAST_SHARES + ((weight - 1) * range + MOST_WEIGHT - 2) / (MOST_WEIGHT - 1);
  }
}
