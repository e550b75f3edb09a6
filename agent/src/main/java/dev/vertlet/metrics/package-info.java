/**
 * The metrics registry and what is measured of the process itself: memory, garbage collection,
 * processor, Vert.x's pools, how late event loops are, and which build it is.
 *
 * <p>Features count into the registry they are given; this package only makes it and writes it out
 * in Prometheus' text format. Safe on any thread; takes and sends no messages. Not promised: names
 * of metrics that Micrometer's own binders choose.
 */
@NullMarked
package dev.vertlet.metrics;

import org.jspecify.annotations.NullMarked;
