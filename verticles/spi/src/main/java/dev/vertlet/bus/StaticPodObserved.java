package dev.vertlet.bus;

import dev.vertlet.model.pod.PodView;
import io.vertx.core.buffer.Buffer;

/**
 * A manifest contains a new or changed pod of one of this agent's nodes, or no longer contains it:
 * the pod is then being deleted.
 *
 * @param object the whole pod as JSON, which the API server does not hold; not changed
 */
public record StaticPodObserved(PodView pod, Buffer object) implements BusMessage {}
