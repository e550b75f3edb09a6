package dev.vertlet.admission;

import dev.vertlet.model.pod.PodView;
import java.util.Map;

/**
 * Pods that a node must not lose: they are not evicted, and can preempt others.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/types/pod_update.go">
 *     IsCriticalPod, kubelet 1.36.3</a>
 */
public final class CriticalPods {
  /** Annotation that a kubelet adds to pods from a file or a URL. */
  private static final String CONFIG_SOURCE = "kubernetes.io/config.source";

  /** Annotation of a mirror pod. */
  private static final String CONFIG_MIRROR = "kubernetes.io/config.mirror";

  /**
   * Priority of the class system-cluster-critical, twice the maximum of user-defined classes: 2 ×
   * 10^9.
   */
  private static final int SYSTEM_CRITICAL = 2_000_000_000;

  private CriticalPods() {}

  public static boolean critical(PodView pod) {
    return pod.spec().priority() >= SYSTEM_CRITICAL
        || isStatic(pod)
        || pod.annotations().containsKey(CONFIG_MIRROR);
  }

  /** Whether the pod comes from a source other than the API server. */
  static boolean isStatic(PodView pod) {
    Map<String, String> annotations = pod.annotations();
    return !annotations.getOrDefault(CONFIG_SOURCE, "api").equals("api");
  }
}
