/**
 * Writes Kubernetes Events for people who ask {@code kubectl describe}.
 *
 * <p>Takes {@code ObjectEvent} from everyone. Equal events within ten minutes become one object
 * with a count. Best effort by design: the queue is bounded, the oldest waiting event goes first
 * when it overflows, and nothing else ever waits for an event.
 */
@NullMarked
package dev.vertlet.events;

import org.jspecify.annotations.NullMarked;
