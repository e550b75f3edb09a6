/**
 * Sets of plain Node objects on any cluster, which {@code vertlet nodes} creates and deletes. Such
 * a node stays NotReady until an agent or another program serves it.
 *
 * <p>{@link dev.vertlet.harness.nodes.NodePattern} is the template of a set's nodes, {@link
 * dev.vertlet.harness.nodes.NodePlan} the changes that bring a set to a size; both are pure. {@code
 * NodeWriter} is the one verticle: it owns an event loop, the connection and the outcome so far. It
 * changes only nodes with the label of {@link dev.vertlet.harness.nodes.NodeSet}, and a deletion
 * carries the UID of the listed node. Not promised: the exact size of a set that another client
 * changes at the same time.
 */
@NullMarked
package dev.vertlet.harness.nodes;

import org.jspecify.annotations.NullMarked;
