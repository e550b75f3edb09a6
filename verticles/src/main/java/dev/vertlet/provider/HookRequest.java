package dev.vertlet.provider;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.HandlerView;
import dev.vertlet.model.PodView;

/**
 * One hook of one running instance of a container.
 *
 * @param podIP where the pod is reached, empty when it has no address
 * @param containerId of the instance
 * @param handler what to do: a command or an HTTP request
 */
public record HookRequest(
    PodView pod,
    String podIP,
    ContainerView container,
    String containerId,
    Moment moment,
    HandlerView handler) {
  /** When a hook runs. */
  public enum Moment {
    /** Right after the container has started. */
    POST_START,
    /** Before the container is asked to end. */
    PRE_STOP
  }
}
