/**
 * The kubelet's HTTPS server of every node: what {@code kubectl logs}, {@code exec}, {@code
 * port-forward} and metrics-server ask for.
 *
 * <p>{@link dev.vertlet.kubelet.KubeletServer} is a verticle with an event loop of its own, so that
 * no stream holds up a shard. It asks shards with {@link dev.vertlet.bus.PodsAsked} and calls each
 * provider on the loop of its shard. A listener of one node answers for the pods of that node only;
 * a shared one looks pods up on all of its nodes. Every request is admitted before anything is
 * looked up, and paused until then.
 *
 * <p>Not promised: that a listing of pods is of one moment.
 */
@NullMarked
package dev.vertlet.kubelet;

import org.jspecify.annotations.NullMarked;
