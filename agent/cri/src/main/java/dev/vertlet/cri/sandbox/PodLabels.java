package dev.vertlet.cri.sandbox;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Labels of sandboxes and containers, as every CRI client expects them.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/labels.go">
 *     kubelet 1.36.3</a>
 */
public final class PodLabels {
  public static final String NAME = "io.kubernetes.pod.name";
  public static final String NAMESPACE = "io.kubernetes.pod.namespace";
  public static final String UID = "io.kubernetes.pod.uid";
  public static final String CONTAINER = "io.kubernetes.container.name";

  private PodLabels() {}

  /** Labels of a pod's sandbox: the pod's own, and these. */
  static Map<String, String> sandbox(PodView pod) {
    Map<String, String> labels = new HashMap<>(pod.labels());
    labels.putAll(of(pod.ref()));
    return labels;
  }

  /** Labels of a container. */
  public static Map<String, String> container(PodRef pod, String name) {
    Map<String, String> labels = of(pod);
    labels.put(CONTAINER, name);
    return labels;
  }

  private static Map<String, String> of(PodRef pod) {
    Map<String, String> labels = new HashMap<>();
    labels.put(NAME, pod.name());
    labels.put(NAMESPACE, pod.namespace());
    labels.put(UID, pod.uid());
    return labels;
  }

  /** Returns the pod that labels name; null if they name none. */
  public static @Nullable PodRef pod(Map<String, String> labels) {
    String name = labels.get(NAME);
    String namespace = labels.get(NAMESPACE);
    String uid = labels.get(UID);
    return name == null || namespace == null || uid == null
        ? null
        : new PodRef(namespace, name, uid);
  }
}
