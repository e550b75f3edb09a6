/**
 * Makes the provider of each shard from the configuration: the kubelet core on a container runtime,
 * or a provider of whole pods.
 *
 * <p>Owns how nodes are divided among shards by their providers, and what wraps a runtime: symbolic
 * links to its logs, and metrics. Providers are made before their shard starts and are called on
 * its context from then on.
 */
@NullMarked
package dev.vertlet.backend;

import org.jspecify.annotations.NullMarked;
