/**
 * Registers the own nodes, keeps their metadata, taints and status as configured, and pings their
 * providers.
 *
 * <p>{@code NodeWatchVerticle} watches all own Node objects with one watch and publishes each to
 * its shard. {@code NodeVerticle} consumes {@code LeaseAcquired} and {@code LeaseLost} (it writes
 * only for served nodes), {@code NodeObserved}, {@code NodeGone} and {@code NodeConfigured} (it
 * reads the node's configuration again); it publishes {@code NodeRegistered}, {@code NodePinged}
 * and {@code NodeStatusChanged}, and sends {@code ObjectEvent}.
 *
 * <p>Labels, annotations, taints and conditions of other clients are never removed. Adopted nodes
 * ({@code NodeAdopted} to {@code NodeReleased}) are never created, and only missing fields of their
 * status are written.
 */
@NullMarked
package dev.vertlet.nodes;

import org.jspecify.annotations.NullMarked;
