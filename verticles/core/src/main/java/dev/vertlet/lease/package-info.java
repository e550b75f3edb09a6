/**
 * Keeps the Lease of each own node, and with it the right to serve the node.
 *
 * <p>Consumes {@code NodeRegistered} (the lease's owner reference follows the node's UID), {@code
 * NodePinged} (no renewal while the provider does not answer), {@code LeaseConfigured} (other times
 * of a node's lease, without losing it), {@code NodesAssigned} (which agent serves each node),
 * {@code NodeAdopted} and {@code NodeReleased} (nodes that other clients create and delete);
 * publishes {@code LeaseAcquired} and {@code LeaseLost}. Runs on the context it is deployed on; its
 * requests use the lease lane and connection. {@code LeaselessVerticle} publishes the same messages
 * for nodes without leases, from their pings alone.
 *
 * <p>Not promised: fencing. A process that was paused after its own check may send one late write.
 */
@NullMarked
package dev.vertlet.lease;

import org.jspecify.annotations.NullMarked;
