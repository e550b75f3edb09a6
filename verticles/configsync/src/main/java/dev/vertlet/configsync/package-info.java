/**
 * Dynamic node configuration: downloads the ConfigMap that a Node declares, stores it on disk, runs
 * it, and rolls back to the last known good config if it fails. Behaves like kubelets 1.11 to 1.23,
 * unless documented otherwise.
 *
 * <p>{@link dev.vertlet.configsync.ConfigSyncVerticle} consumes {@code NodeObserved}, {@code
 * NodeGone} and the messages about leases; it writes the annotations and the condition of served
 * nodes, and sends {@code ObjectEvent} and {@code NodeConfigStatusChanged}. {@link
 * dev.vertlet.configsync.source.DeclaredSources} reads the declared source of a Node, {@link
 * dev.vertlet.configsync.ConfigSync} decides, {@link dev.vertlet.configsync.store.CheckpointStore}
 * stores, and a {@link dev.vertlet.configsync.ConfigTarget} applies configs. The decisions use no
 * event loop, file or clock. The store blocks, so it runs on workers, one call at a time for each
 * node.
 *
 * <p>Decisions and their verticle are here, above {@link dev.vertlet.configsync.store} and {@link
 * dev.vertlet.configsync.source}.
 */
@NullMarked
package dev.vertlet.configsync;

import org.jspecify.annotations.NullMarked;
