/**
 * Follows the ConfigMaps, Secrets and Services that pods refer to, each only while a pod does.
 *
 * <p>{@link dev.vertlet.references.ReferenceWatchVerticle} owns the watches: one for each object,
 * whatever number of pods and shards refer to it. {@link dev.vertlet.references.BusReferences} is a
 * shard's end of it.
 *
 * <p>Messages: takes {@code ReferenceWanted}, sends {@code ReferenceRead} to the shards that want
 * the object. The verticle runs on the loop of the API server's client.
 *
 * <p>Not promised: that a reading is the newest. It is as old as its watch is behind, a second at
 * most while the API server answers.
 */
@NullMarked
package dev.vertlet.references;

import org.jspecify.annotations.NullMarked;
