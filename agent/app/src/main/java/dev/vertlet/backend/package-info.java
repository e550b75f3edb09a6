/**
 * Makes the provider of each shard from the configuration: the kubelet core on a container runtime,
 * or a provider of whole pods.
 *
 * <p>Owns the assignment of nodes to shards by their providers, and the wrappers of a runtime:
 * symbolic links to its logs, and metrics. Providers are made before their shard starts; from then
 * on its context calls them.
 */
@NullMarked
package dev.vertlet.backend;

import org.jspecify.annotations.NullMarked;
