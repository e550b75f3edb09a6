/**
 * The metrics registry and what is measured of the process itself: memory, garbage collection,
 * processor, Vert.x's pools, how late event loops are, and which build it is.
 *
 * <p>Features count into the registry they are given; this package makes it, writes it out in
 * Prometheus' text format, and stands between the kubelet core and its runtime, or a shard and its
 * provider, to count what a kubelet counts there: on the loop of the shard, without messages. What
 * is read of the counts may be read on any thread. Not promised: names of metrics that Micrometer's
 * own binders choose.
 */
@NullMarked
package dev.vertlet.metrics;

import org.jspecify.annotations.NullMarked;
