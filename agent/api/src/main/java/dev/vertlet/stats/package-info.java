/**
 * Usage of nodes and pods in the formats of a kubelet: {@code /stats/summary}, {@code
 * /metrics/resource}, {@code /metrics/cadvisor} and {@code /metrics/probes}.
 *
 * <p>The package builds documents from a provider's measurements and their pods, on any thread; it
 * stores, sends and serves nothing. Unmeasured values are omitted. Not promised: values that only a
 * kernel knows, such as throttled periods or task states.
 */
@NullMarked
package dev.vertlet.stats;

import org.jspecify.annotations.NullMarked;
