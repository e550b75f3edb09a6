package dev.vertlet.bus;

import dev.vertlet.model.ReferredKey;

/**
 * Pods of a shard begin to refer to something, or no pod of it does any more.
 *
 * @param wanted false to end it
 */
public record ReferenceWanted(int shard, ReferredKey key, boolean wanted) implements BusMessage {}
