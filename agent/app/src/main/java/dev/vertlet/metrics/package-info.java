/**
 * The metrics registry and the metrics of the process itself: memory, garbage collection, CPU,
 * Vert.x's pools, event loop lag and build information.
 *
 * <p>Features count into the registry they receive. This package creates it, writes it in
 * Prometheus' text format, and counts what a kubelet counts between the kubelet core and its
 * runtime, or between a shard and its provider: on the loop of the shard, without messages. Counts
 * are thread-safe to read. Not promised: names of metrics that Micrometer's own binders choose.
 */
@NullMarked
package dev.vertlet.metrics;

import org.jspecify.annotations.NullMarked;
