/**
 * The config of a node that the cluster can change while it runs: which ConfigMap is asked for,
 * what of it is kept on disk, what runs, and what to go back to when that does not work.
 *
 * <p>{@link dev.vertlet.configsync.ConfigSyncVerticle} takes {@code NodeObserved}, {@code NodeGone}
 * and the messages about leases; it writes the annotations and the condition of a node that is
 * served, and sends {@code ObjectEvent} and {@code NodeConfigStood}. {@link
 * dev.vertlet.configsync.DeclaredSources} reads what a Node asks for, {@link
 * dev.vertlet.configsync.ConfigSync} decides, {@link dev.vertlet.configsync.CheckpointStore} keeps,
 * and a {@link dev.vertlet.configsync.ConfigTarget} makes nodes run by it. The decisions know no
 * event loop, file or clock. The store blocks, so it runs on workers, one call at a time for each
 * node. What a kubelet of 1.11 to 1.23 did is what is done here, unless said otherwise.
 */
@NullMarked
package dev.vertlet.configsync;

import org.jspecify.annotations.NullMarked;
