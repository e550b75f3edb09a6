/**
 * The config of a node that the cluster can change while it runs: which ConfigMap is asked for,
 * what of it is kept on disk, what runs, and what to go back to when that does not work.
 *
 * <p>So far the decisions and the disk, and no verticle: {@link
 * dev.vertlet.configsync.DeclaredSources} reads what a Node asks for, {@link
 * dev.vertlet.configsync.ConfigSync} decides, {@link dev.vertlet.configsync.CheckpointStore} keeps.
 * The decisions know no event loop, file or clock. The store blocks, so it runs on a worker, one
 * call at a time. What a kubelet of 1.11 to 1.23 did is what is done here, unless said otherwise;
 * the fields of a payload are not looked into.
 */
@NullMarked
package dev.vertlet.configsync;

import org.jspecify.annotations.NullMarked;
