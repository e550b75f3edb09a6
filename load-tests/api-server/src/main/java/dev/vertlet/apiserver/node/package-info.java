/**
 * What the controller manager does about nodes: a node that is no longer heard of becomes Unknown,
 * taints follow conditions, pods that do not tolerate a {@code NoExecute} taint are deleted in
 * time, pods of nodes that are gone are removed.
 *
 * <p>Controllers in the sense of {@link dev.vertlet.apiserver.control}; {@link
 * dev.vertlet.apiserver.node.NodeTaints} and {@link dev.vertlet.apiserver.node.Tolerance} are their
 * pure core. Not promised: zones, their eviction rates and disruption modes, the out-of-service
 * taint.
 */
@NullMarked
package dev.vertlet.apiserver.node;

import org.jspecify.annotations.NullMarked;
