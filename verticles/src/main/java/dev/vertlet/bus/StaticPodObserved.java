package dev.vertlet.bus;

import dev.vertlet.model.PodView;
import io.vertx.core.buffer.Buffer;

/**
 * A manifest holds a new or changed pod of one of this agent's nodes, or holds it no longer: then
 * it is being deleted.
 *
 * @param object the whole pod as JSON, which the API server cannot be asked for; not changed
 */
public record StaticPodObserved(PodView pod, Buffer object) implements BusMessage {}
