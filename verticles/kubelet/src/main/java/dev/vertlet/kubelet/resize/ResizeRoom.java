package dev.vertlet.kubelet.resize;

import dev.vertlet.admission.Rejection;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.model.pod.PodView;
import org.jspecify.annotations.Nullable;

/** Tells what nodes can grant to pods that are resized. */
public interface ResizeRoom {
  /** Whether the node's object has been seen. */
  boolean knows(String node);

  /**
   * Checks whether the pod's node can grant a resize now; changes nothing.
   *
   * @param desired the pod with the resources that it asks for
   * @return null if it can
   */
  @Nullable Rejection grants(PodState pod, PodView desired);
}
