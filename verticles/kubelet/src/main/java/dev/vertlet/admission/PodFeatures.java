package dev.vertlet.admission;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartRuleView.Action;
import dev.vertlet.model.pod.PodSpecView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the node's features include those that a pod needs.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/handlers.go">
 *     declaredFeaturesAdmitHandler, kubelet 1.36.3</a>
 */
final class PodFeatures {
  private PodFeatures() {}

  static @Nullable Rejection refusal(NodePolicy node, PodSpecView pod) {
    if (!node.podLevelResources() && pod.placement().whole() != ResourcesView.NONE) {
      return new Rejection(
          "PodLevelResourcesNotSupported", "PodLevelResources feature gate is disabled", false);
    }
    if (!node.declares()) {
      return null;
    }
    List<String> missing = new ArrayList<>(needed(pod));
    missing.removeAll(node.declaredFeatures());
    return missing.isEmpty()
        ? null
        : new Rejection(
            "PodFeatureUnsupported",
            "Pod requires node features that are not available: " + String.join(", ", missing),
            false);
  }

  /** Returns the needed features in Kubernetes' registration order. */
  private static List<String> needed(PodSpecView pod) {
    return restartsAll(pod.containers()) || restartsAll(pod.initContainers())
        ? List.of(NodePolicy.RESTART_OF_ALL)
        : List.of();
  }

  private static boolean restartsAll(List<ContainerView> containers) {
    for (int i = 0; i < containers.size(); i++) {
      var exit = containers.get(i).exit();
      if (exit.mentions(Action.RESTART_ALL_CONTAINERS) || exit.mentions(Action.TURNED_OFF)) {
        return true;
      }
    }
    return false;
  }
}
