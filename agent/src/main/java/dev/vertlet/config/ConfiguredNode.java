package dev.vertlet.config;

import dev.vertlet.provider.NodeSpec;

/**
 * A virtual node and what backs it.
 *
 * @param provider name of the provider that runs its pods
 */
public record ConfiguredNode(NodeSpec spec, String provider) {}
