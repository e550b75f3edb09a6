package dev.vertlet.config.node;

import dev.vertlet.events.EventLimit;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.sources.NodeSources;

/**
 * One virtual node with its provider, its limits and the sources of its static pods.
 *
 * @param template index in {@code nodes} of the node's template
 * @param provider name of the provider that runs the node's pods
 * @param reserved reservations that are subtracted from its capacity
 * @param eviction thresholds by which the kubelet core evicts pods
 * @param imageGc thresholds by which the kubelet core removes images
 * @param api rate limit of the node's writes
 * @param events rate limit of the node's events
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
    NodeSources sources) {
  /** Returns a copy with other pod addresses, which are set once for a node. */
  public ConfiguredNode withPodCidr(String podCidr) {
    return new ConfiguredNode(
        spec.withPodCidr(podCidr),
        template,
        provider,
        reserved,
        eviction,
        imageGc,
        api,
        events,
        sources);
  }
}
