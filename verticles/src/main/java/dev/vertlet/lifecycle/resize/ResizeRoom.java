package dev.vertlet.lifecycle.resize;

import dev.vertlet.admission.Rejection;
import dev.vertlet.lifecycle.pod.PodState;
import dev.vertlet.model.PodView;
import org.jspecify.annotations.Nullable;

/** Says what the nodes of resized pods have room for. */
public interface ResizeRoom {
  /** Whether anything is known of the node. */
  boolean knows(String node);

  /**
   * Whether the pod's node can grant it what it asks for now; changes nothing.
   *
   * @param desired the pod as it is to be
   * @return null when it can
   */
  @Nullable Rejection grants(PodState pod, PodView desired);
}
