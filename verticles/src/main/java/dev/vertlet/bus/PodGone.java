package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/**
 * The API server holds the pod no longer, or no longer on one of this agent's nodes.
 *
 * @param elsewhere another agent serves its node by now: whoever runs the pod must not end it
 */
public record PodGone(PodRef pod, boolean elsewhere) implements BusMessage {
  public PodGone(PodRef pod) {
    this(pod, false);
  }
}
