package dev.vertlet.kubelet.pod;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;

/** Receives the containers that a {@code KubeletCore} starts. Called on the core's loop. */
public interface ContainerListener {
  /** For a core without a listener. */
  ContainerListener NONE = (pod, container) -> {};

  /** The runtime has started an instance of one of the pod's containers. */
  void started(PodView pod, ContainerRecord container);

  /** The core stops. */
  default void stop() {}
}
