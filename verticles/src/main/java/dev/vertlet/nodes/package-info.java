/**
 * Registers the own nodes, keeps their metadata, taints and status as configured, and asks their
 * providers whether they live.
 *
 * <p>{@code NodeWatchVerticle} follows all own Node objects with one watch and hands each to its
 * shard; {@code NodeVerticle} takes {@code LeaseAcquired} and {@code LeaseLost} (it writes only for
 * nodes it serves), {@code NodeObserved} and {@code NodeGone}, and {@code NodeConfigured}, after
 * which a node is what its configuration says then; publishes {@code NodeRegistered}, {@code
 * NodePinged} and {@code NodeStatusChanged}, and sends {@code ObjectEvent}. What others put on a
 * node (labels, annotations, taints, conditions) is never removed. Nodes that {@code NodeAdopted}
 * brings and {@code NodeReleased} takes away are not made, and have their status completed alone.
 */
@NullMarked
package dev.vertlet.nodes;

import org.jspecify.annotations.NullMarked;
