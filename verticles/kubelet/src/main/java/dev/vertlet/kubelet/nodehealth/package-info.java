/**
 * Nodes as a kubelet manages them: health of the runtime, pressure conditions, admission,
 * preemption and eviction. Runs on the core's loop.
 */
@NullMarked
package dev.vertlet.kubelet.nodehealth;

import org.jspecify.annotations.NullMarked;
