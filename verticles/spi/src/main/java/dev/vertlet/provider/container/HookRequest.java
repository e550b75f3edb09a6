package dev.vertlet.provider.container;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.pod.PodView;

/**
 * One hook of one running instance of a container.
 *
 * @param podIP the pod's address, empty when it has none
 * @param containerId of the instance
 * @param handler a command or an HTTP request
 */
public record HookRequest(
    PodView pod,
    String podIP,
    ContainerView container,
    String containerId,
    Moment moment,
    HandlerView handler) {
  /** Moment at which a hook runs. */
  public enum Moment {
    /** Right after the container has started. */
    POST_START,
    /** Before the container is asked to end. */
    PRE_STOP
  }
}
