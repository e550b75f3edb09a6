/**
 * A plain scheduler: binds each pending pod of {@code default-scheduler} to the node that fits it
 * and runs the fewest pods.
 *
 * <p>It filters as the real one does — {@code unschedulable}, taints, node selector and required
 * node affinity, resource requests, number of pods — and says why nothing fits in the same words.
 * It knows nothing of preemption, pod affinity, topology spread, host ports, volumes and claims.
 * {@link dev.vertlet.apiserver.scheduler.NodeTable} and {@link
 * dev.vertlet.apiserver.scheduler.SchedulingQueue} are its pure core; {@link
 * dev.vertlet.apiserver.scheduler.Scheduler} connects them with the store. Runs on the server's
 * event loop only. A pod costs O(log nodes) when it fits; pods that cannot be placed are parked by
 * what they require, and one pod per group is tried again when nodes or usage change.
 */
@NullMarked
package dev.vertlet.apiserver.scheduler;

import org.jspecify.annotations.NullMarked;
