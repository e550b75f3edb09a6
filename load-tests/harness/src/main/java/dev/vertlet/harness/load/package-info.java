/**
 * Puts load on a cluster and measures, from outside, what its users get: how long after a create
 * the watch shows a pod Ready, how long after a delete it is gone, how evenly leases are renewed.
 *
 * <p>{@link dev.vertlet.harness.load.PodLoad} is the one verticle; it owns an event loop, its
 * connections and everything measured. The rest is pure: stopwatches that are told the time. Not
 * promised: figures free of what the measuring process itself takes from a machine that it shares
 * with what it measures.
 */
@NullMarked
package dev.vertlet.harness.load;

import org.jspecify.annotations.NullMarked;
