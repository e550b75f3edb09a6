/**
 * Event recorder: writes Kubernetes Events, as {@code kubectl describe} shows them.
 *
 * <p>Consumes {@code ObjectEvent} from all verticles. As in client-go's recorder, equal events
 * become one object with a count, similar ones are combined from the tenth message on, and events
 * about one object are rate-limited. Best effort by design: the queue is bounded and drops the
 * oldest waiting event when it overflows, and no other work waits for an event.
 */
@NullMarked
package dev.vertlet.events;

import org.jspecify.annotations.NullMarked;
