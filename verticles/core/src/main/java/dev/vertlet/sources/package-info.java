/**
 * Static pods: reads the manifests of the own nodes from files and URLs, publishes their pods to
 * the shard and maintains a mirror pod in the API server for each.
 *
 * <p>{@code SourceVerticle}, one per shard, publishes {@code StaticPodObserved}, {@code PodGone}
 * and {@code SourcesReady}; it consumes {@code StaticPodEnded}, {@code MirrorObserved}, and the
 * messages about leases, lists and nodes. {@code dev.vertlet.manifest} and {@code MirrorEntry} make
 * the decisions. A source that cannot be read changes nothing; a static pod runs whether or not its
 * mirror can be written.
 */
@NullMarked
package dev.vertlet.sources;

import org.jspecify.annotations.NullMarked;
