package dev.vertlet.config;

import dev.vertlet.events.EventLimit;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.sources.NodeSources;

/**
 * A virtual node, what backs it, and where its static pods come from.
 *
 * @param template index in {@code nodes} of what it was made of
 * @param provider name of the provider that runs its pods
 * @param reserved what is taken off its capacity
 * @param eviction when pods are evicted from it, by the kubelet core
 * @param imageGc when images are removed from it, by the kubelet core
 * @param api how fast it may write
 * @param events how many it may tell
 */
public record ConfiguredNode(
    NodeSpec spec,
    int template,
    String provider,
    Reserved reserved,
    EvictionOptions eviction,
    ImageGcOptions imageGc,
    ApiLimit api,
    EventLimit events,
    NodeSources sources) {}
