/**
 * Writes Kubernetes Events for people who ask {@code kubectl describe}.
 *
 * <p>Takes {@code ObjectEvent} from everyone. As with client-go's recorder, equal events become one
 * object with a count, so do similar ones from the tenth message on, and of too many about one
 * object only some are written. Best effort by design: the queue is bounded, the oldest waiting
 * event goes first when it overflows, and nothing else ever waits for an event.
 */
@NullMarked
package dev.vertlet.events;

import org.jspecify.annotations.NullMarked;
