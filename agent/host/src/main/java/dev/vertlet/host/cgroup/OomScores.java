package dev.vertlet.host.cgroup;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.QosClass;
import dev.vertlet.model.resource.Quantities;

/**
 * Decides whose processes the kernel kills first when the host runs out of memory.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/qos/policy.go">
 *     GetContainerOOMScoreAdjust, Kubernetes 1.36.3</a>
 */
public final class OomScores {
  private static final long GUARANTEED = -997;
  private static final long BEST_EFFORT = 1000;

  /** Priority of the class {@code system-node-critical}. */
  private static final int NODE_CRITICAL = 2_000_001_000;

  private OomScores() {}

  /**
   * Returns the {@code oom_score_adj} of a container's processes. Only root can go below the
   * agent's own; the kernel then keeps that.
   *
   * @param capacity memory of the host in bytes; 0 if it is unknown
   */
  public static long of(PodView pod, ContainerView container, long capacity) {
    QosClass qos = pod.spec().placement().qos();
    if (qos == QosClass.GUARANTEED || pod.spec().priority() >= NODE_CRITICAL) {
      return GUARANTEED;
    }
    if (qos == QosClass.BEST_EFFORT) {
      return BEST_EFFORT;
    }
    if (capacity <= 0) {
      return BEST_EFFORT - 1;
    }
    long remaining = remaining(pod);
    long score = score(request(container) + remaining, capacity);
    if (container.sidecar() && pod.spec().initContainers().contains(container)) {
      // a sidecar is killed no sooner than the containers that need it
      long least = pod.spec().containers().stream().mapToLong(OomScores::request).min().orElse(0);
      score = Math.min(score, score(least + remaining, capacity));
    }
    return Math.min(Math.max(score, BEST_EFFORT + GUARANTEED), BEST_EFFORT - 1);
  }

  private static long score(long request, long capacity) {
    return BEST_EFFORT - Math.round(Math.floor((double) BEST_EFFORT * request / capacity));
  }

  private static long request(ContainerView container) {
    String request = container.resources().requests().get("memory");
    return request == null ? 0 : Quantities.units(request);
  }

  /** Memory that the pod requests as a whole and no container, divided among its containers. */
  private static long remaining(PodView pod) {
    String whole = pod.spec().placement().whole().requests().get("memory");
    if (whole == null) {
      return 0;
    }
    long containers =
        pod.spec().containers().size()
            + pod.spec().initContainers().stream().filter(ContainerView::sidecar).count();
    long requested =
        pod.spec().containers().stream().mapToLong(OomScores::request).sum()
            + pod.spec().initContainers().stream()
                .filter(ContainerView::sidecar)
                .mapToLong(OomScores::request)
                .sum();
    return Math.max(0, Quantities.units(whole) - requested) / Math.max(1, containers);
  }
}
