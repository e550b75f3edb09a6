package dev.vertlet.kubelet.pod;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PodView;
import java.util.Set;

/** A pod of the core: active, or resting. */
public sealed interface Held permits PodState, RestingPod {
  /** The pod's definition, as the core knows it. */
  PodView view();

  default String uid() {
    return view().uid();
  }

  default boolean isOn(String node) {
    return view().nodeName().equals(node);
  }

  /** Returns the pod's current report. */
  PodReport report();

  /** Adds the ids of the images that the pod's containers use, or are about to use. */
  void addImages(Set<String> ids);
}
