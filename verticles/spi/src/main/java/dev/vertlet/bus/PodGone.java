package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/**
 * The API server no longer holds the pod, or no longer on one of this agent's nodes.
 *
 * @param elsewhere another agent serves its node by now: the receiver must not end the pod
 */
public record PodGone(PodRef pod, boolean elsewhere) implements BusMessage {
  public PodGone(PodRef pod) {
    this(pod, false);
  }
}
