/**
 * Watches the ConfigMaps, Secrets, Services, claims, volumes and trust bundles that pods refer to,
 * each only while a pod does.
 *
 * <p>{@link dev.vertlet.references.ReferenceWatchVerticle} owns the watches: one for each key,
 * however many pods and shards refer to it. {@link dev.vertlet.references.BusReferences} is its
 * client in each shard. The verticle consumes {@code ReferenceWanted} and sends {@code
 * ReferenceRead} to the shards that need the object. It runs on the loop of the API server's
 * client.
 *
 * <p>Not promised: that a reading is the newest. It is as old as its watch's delay, a second at
 * most while the API server answers.
 */
@NullMarked
package dev.vertlet.references;

import org.jspecify.annotations.NullMarked;
