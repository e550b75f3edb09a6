/**
 * Templates of nodes, and the nodes that they describe: names, capacity, reservations, addresses
 * and pod CIDRs. Uses no I/O or thread; all mistakes of all templates are collected.
 */
@NullMarked
package dev.vertlet.config.node;

import org.jspecify.annotations.NullMarked;
