package dev.vertlet.config;

import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.provider.NodeSpec;

/**
 * A virtual node and what backs it.
 *
 * @param provider name of the provider that runs its pods
 * @param eviction when pods are evicted from it, by the kubelet core
 */
public record ConfiguredNode(NodeSpec spec, String provider, EvictionOptions eviction) {}
