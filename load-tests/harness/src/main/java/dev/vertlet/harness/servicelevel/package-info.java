/**
 * Kubernetes' service levels and what a control plane went through: reads the {@code /metrics} of
 * the API server and the scheduler while something else runs, and judges request latencies and pod
 * start-up by the official objectives. The recorder has its own event loop; everything else is
 * pure.
 *
 * <p>Not promised: figures of several API servers behind one address, whose counters it cannot add.
 */
@NullMarked
package dev.vertlet.harness.servicelevel;

import org.jspecify.annotations.NullMarked;
