/**
 * Several agents that divide the nodes among them. Each renews a Lease of its own, by which the
 * others know that it lives; whose a node is follows from the names alone. The node's Lease stays
 * what decides who serves it.
 */
@NullMarked
package dev.vertlet.replicas;

import org.jspecify.annotations.NullMarked;
