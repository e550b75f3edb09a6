package dev.vertlet.bus;

import dev.vertlet.model.reference.ReferredKey;

/**
 * Pods of a shard begin to refer to an object, or none of them does any more.
 *
 * @param wanted false when no pod refers to it any more
 */
public record ReferenceWanted(int shard, ReferredKey key, boolean wanted) implements BusMessage {}
