package dev.vertlet.cri.sandbox;

import dev.vertlet.cri.wire.CommonMessages.HugepageLimit;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.PodTotals;
import dev.vertlet.model.resource.Quantities;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts requests and limits to what a runtime sets in a cgroup.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_container_linux.go">
 *     calculateLinuxResources, kubelet 1.36.3</a>
 */
public final class LinuxResources {
  /** Resources that ask for nothing. */
  static final LinuxContainerResources NONE =
      new LinuxContainerResources(0, 0, 0, 0, 0, "", "", List.of(), Map.of(), 0);

  /** Period of the CPU quota in microseconds (kubelet: QuotaPeriod). */
  private static final long PERIOD = 100_000;

  /** Least quota in microseconds (kubelet: MinQuotaPeriod). */
  private static final long LEAST_QUOTA = 1000;

  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262_144;
  private static final long SHARES_PER_CPU = 1024;
  private static final long MILLI = 1000;

  private LinuxResources() {}

  /**
   * Resources of a container.
   *
   * @param cpuRequest null if there is none
   * @param cpuLimit null if there is none
   * @param memoryLimit null if there is none
   * @param oomScore value of {@code oom_score_adj}
   * @param unified values of cgroup v2, by their file names
   */
  public static LinuxContainerResources of(
      @Nullable String cpuRequest,
      @Nullable String cpuLimit,
      @Nullable String memoryLimit,
      long oomScore,
      List<HugepageLimit> hugepages,
      Map<String, String> unified) {
    long limit = cpuLimit == null ? 0 : Quantities.milli(cpuLimit);
    // a kubelet takes the limit where there is no request, as the API server does
    long request = cpuRequest == null ? limit : Quantities.milli(cpuRequest);
    return new LinuxContainerResources(
        PERIOD,
        quota(limit),
        shares(request),
        memoryLimit == null ? 0 : Quantities.units(memoryLimit),
        oomScore,
        "",
        "",
        hugepages,
        unified,
        0);
  }

  /** CPU shares of thousandths of a CPU, 2 to 262,144. */
  static long shares(long milli) {
    return Math.min(Math.max(milli * SHARES_PER_CPU / MILLI, LEAST_SHARES), MOST_SHARES);
  }

  /** Microseconds of CPU in a period of 100 ms; 0 for no limit. */
  static long quota(long milli) {
    return milli == 0 ? 0 : Math.max(milli * PERIOD / MILLI, LEAST_QUOTA);
  }

  /** Resources of a whole pod without its overhead. */
  static LinuxContainerResources pod(PodView pod) {
    var granted = PodTotals.granted(pod.spec()).applied();
    Map<String, String> overhead = pod.spec().placement().overhead();
    Map<String, String> requests = without(granted.requests(), overhead);
    Map<String, String> limits = without(granted.limits(), overhead);
    return of(requests.get("cpu"), limits.get("cpu"), limits.get("memory"), 0, List.of(), Map.of());
  }

  /** Resources of a pod's overhead, whose requests and limits are equal. */
  static LinuxContainerResources overhead(PodView pod) {
    Map<String, String> overhead = pod.spec().placement().overhead();
    return overhead.isEmpty()
        ? NONE
        : of(
            overhead.get("cpu"),
            overhead.get("cpu"),
            overhead.get("memory"),
            0,
            List.of(),
            Map.of());
  }

  private static Map<String, String> without(
      Map<String, String> amounts, Map<String, String> overhead) {
    Map<String, String> rest = new HashMap<>(amounts);
    overhead.forEach(
        (resource, amount) ->
            rest.computeIfPresent(
                resource,
                (name, whole) ->
                    Quantities.subtract(
                            Quantities.parse(name, whole), Quantities.parse(name, amount))
                        .toString()));
    return rest;
  }
}
