/**
 * Sets of plain Node objects on any cluster: what {@code vertlet nodes} makes and removes. Nobody
 * serves such a node until an agent, or another program, takes it over.
 *
 * <p>{@link dev.vertlet.harness.nodes.NodePattern} is what the nodes of a set have in common,
 * {@link dev.vertlet.harness.nodes.NodePlan} what has to be done to reach a number of them; both
 * are pure. {@code NodeWriter} is the one verticle: it owns an event loop, the connection and what
 * has been done so far. What it does is done for nodes with the label of {@link
 * dev.vertlet.harness.nodes.NodeSet} alone, and a deletion names the UID of what was listed. Not
 * promised: a set of that number when somebody else makes or removes nodes of it at the same time.
 */
@NullMarked
package dev.vertlet.harness.nodes;

import org.jspecify.annotations.NullMarked;
