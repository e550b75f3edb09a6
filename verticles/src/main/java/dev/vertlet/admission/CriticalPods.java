package dev.vertlet.admission;

import dev.vertlet.model.PodView;
import java.util.Map;

/**
 * Pods that a node must not do without: they are not evicted, and others make room for them.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/types/pod_update.go">
 *     IsCriticalPod, kubelet 1.36.3</a>
 */
public final class CriticalPods {
  /** Written by a kubelet into pods that come from a file or a URL. */
  private static final String CONFIG_SOURCE = "kubernetes.io/config.source";

  /** Of an object that only shows a pod of another source. */
  private static final String CONFIG_MIRROR = "kubernetes.io/config.mirror";

  /** Of the class system-cluster-critical, twice what users may define: 2 × 10^9. */
  private static final int SYSTEM_CRITICAL = 2_000_000_000;

  private CriticalPods() {}

  public static boolean critical(PodView pod) {
    return pod.spec().priority() >= SYSTEM_CRITICAL
        || isStatic(pod)
        || pod.annotations().containsKey(CONFIG_MIRROR);
  }

  /** Whether the pod comes from elsewhere than the API server. */
  static boolean isStatic(PodView pod) {
    Map<String, String> annotations = pod.annotations();
    return !annotations.getOrDefault(CONFIG_SOURCE, "api").equals("api");
  }
}
