/**
 * Division of nodes among several agents. Each agent renews a Lease of its own, which shows the
 * others that it is alive; the names alone determine the owner of a node. The node's Lease still
 * decides which agent serves the node.
 *
 * <p>{@code MembershipVerticle} consumes {@code NodeAdopted} and {@code NodeReleased}, and
 * publishes {@code NodesAssigned}.
 */
@NullMarked
package dev.vertlet.replicas;

import org.jspecify.annotations.NullMarked;
