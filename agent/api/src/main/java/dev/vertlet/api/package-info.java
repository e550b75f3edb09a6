/**
 * The kubelet's HTTPS server of every node, which {@code kubectl logs}, {@code exec}, {@code
 * port-forward} and metrics-server use.
 *
 * <p>{@link dev.vertlet.api.KubeletServer} is a verticle with its own event loop, so that no stream
 * delays a shard. It queries shards with {@link dev.vertlet.bus.PodQuery} and calls each provider
 * on the loop of its shard. A listener of one node serves only that node's pods; a shared one looks
 * pods up on all of its nodes. Every request is paused until it is admitted, and nothing is looked
 * up before.
 *
 * <p>Not promised: a pod list of a single point in time.
 *
 * <p>Listeners are here, above the routes of {@link dev.vertlet.api.route}.
 */
@NullMarked
package dev.vertlet.api;

import org.jspecify.annotations.NullMarked;
