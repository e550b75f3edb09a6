/**
 * Dynamic configuration on the agent's side: selects each node's configuration at start, and
 * applies the configs that the cluster assigns while nodes are served.
 *
 * <p>Publishes {@link dev.vertlet.bus.NodeConfigured} to the shard of a node and sends {@link
 * dev.vertlet.bus.LeaseConfigured}. Runs on the main loop of the agent; worker threads read
 * payloads. The state machine and its store are in {@code dev.vertlet.configsync}.
 */
@NullMarked
package dev.vertlet.dynamicconfig;

import org.jspecify.annotations.NullMarked;
