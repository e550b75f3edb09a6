/**
 * Static pods: reads the manifests of the own nodes from files and URLs, hands their pods to the
 * shard and shows each in the API server as a mirror pod.
 *
 * <p>{@code SourceVerticle}, one per shard, publishes {@code StaticPodObserved}, {@code PodGone}
 * and {@code SourcesSeen}; it takes {@code StaticPodEnded}, the mirror pods that the pod watch
 * sees, and the messages about leases, lists and registered nodes. What changes mean is decided in
 * {@code dev.vertlet.manifest} and in {@code MirrorEntry}. A source that cannot be read changes
 * nothing; a static pod runs whether or not its mirror can be written.
 */
@NullMarked
package dev.vertlet.sources;

import org.jspecify.annotations.NullMarked;
