package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/**
 * Requests the deletion of a pod's object, or takes the request back.
 *
 * @param wanted whether the object is deleted now; false to give up a deletion that waits
 */
public record PodDeletion(PodRef pod, boolean wanted) implements BusMessage {}
