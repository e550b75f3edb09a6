/**
 * Dynamic configuration on the agent's side: decides at start what each node runs, and applies the
 * configs that the cluster assigns while nodes are served.
 *
 * <p>Publishes {@link dev.vertlet.bus.NodeConfigured} to the shard of a node and sends {@link
 * dev.vertlet.bus.LeaseConfigured}. Runs on the main loop of the agent; payloads are read by worker
 * threads. The state machine and its store are in {@code dev.vertlet.configsync}.
 */
@NullMarked
package dev.vertlet.dynamicconfig;

import org.jspecify.annotations.NullMarked;
