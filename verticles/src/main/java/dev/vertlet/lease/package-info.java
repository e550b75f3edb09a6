/**
 * Keeps the Lease of each own node, and with it the right to serve the node.
 *
 * <p>Takes {@code NodeRegistered} (the lease's owner follows the node's UID), {@code NodePinged}
 * (no renewal while the provider does not answer) and {@code LeaseConfigured} (other times for a
 * node's lease, which is held on), {@code NodeAdopted} and {@code NodeReleased} (nodes that others
 * make come and go); publishes {@code LeaseAcquired} and {@code LeaseLost}. Runs on the context it
 * is deployed on; its requests go through the lease lane and connection. {@code LeaselessVerticle}
 * says the same of nodes that have no leases, by their pings alone. Does not promise fencing: a
 * process that was paused across its own check may land one late write.
 */
@NullMarked
package dev.vertlet.lease;

import org.jspecify.annotations.NullMarked;
