package dev.vertlet.host.cgroup;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.QosClass;
import dev.vertlet.model.Quantities;

/**
 * Decides whose processes the kernel kills first when the host runs out of memory.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/qos/policy.go">
 *     GetContainerOOMScoreAdjust, Kubernetes 1.36.3</a>
 */
public final class OomScores {
  private static final long GUARANTEED = -997;
  private static final long BEST_EFFORT = 1000;

  private OomScores() {}

  /**
   * Returns the {@code oom_score_adj} of a container's processes. Only root can go below the
   * agent's own; the kernel then keeps that.
   *
   * @param capacity of the host in bytes
   */
  public static long of(PodView pod, ContainerView container, long capacity) {
    QosClass qos = pod.spec().placement().qos();
    if (qos == QosClass.GUARANTEED) {
      return GUARANTEED;
    }
    String request = container.resources().requests().get("memory");
    if (qos == QosClass.BEST_EFFORT || request == null || capacity <= 0) {
      return qos == QosClass.BEST_EFFORT ? BEST_EFFORT : BEST_EFFORT - 1;
    }
    // between those of guaranteed and of best-effort pods
    long score = BEST_EFFORT - BEST_EFFORT * Quantities.units(request) / capacity;
    return Math.min(Math.max(score, BEST_EFFORT + GUARANTEED), BEST_EFFORT - 1);
  }
}
