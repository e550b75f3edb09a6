package dev.vertlet.cri.sandbox;

import dev.vertlet.cri.wire.CommonMessages.NamespaceMode;
import dev.vertlet.cri.wire.CommonMessages.NamespaceOption;
import dev.vertlet.cri.wire.CommonMessages.UserNamespace;
import dev.vertlet.model.definition.PodDefinition;
import java.util.List;

/**
 * Namespaces of a pod.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/util/util.go">
 *     NamespacesForPod, kubelet 1.36.3</a>
 */
public final class Namespaces {
  private Namespaces() {}

  /** Returns the namespaces of a pod without a user namespace of its own. */
  public static NamespaceOption of(PodDefinition pod) {
    return new NamespaceOption(
        pod.hostNetwork() ? NamespaceMode.NODE : NamespaceMode.POD,
        processes(pod),
        pod.hostIpc() ? NamespaceMode.NODE : NamespaceMode.POD,
        "",
        new UserNamespace(NamespaceMode.NODE, List.of(), List.of()));
  }

  private static NamespaceMode processes(PodDefinition pod) {
    if (pod.hostPid()) {
      return NamespaceMode.NODE;
    }
    return pod.shareProcessNamespace() ? NamespaceMode.POD : NamespaceMode.CONTAINER;
  }
}
