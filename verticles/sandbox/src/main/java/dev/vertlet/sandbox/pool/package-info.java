/**
 * Pools of warm sandbox pods: assigns pods to claims, replaces failed pods, and keeps the size of
 * each pool. {@link dev.vertlet.sandbox.pool.Pool} decides, confined to a loop and independent of
 * Vert.x; {@link dev.vertlet.sandbox.pool.PoolVerticle} passes it pods from a watch and calls from
 * other contexts. The package sends and receives no bus messages: it runs in a process of its own,
 * not in an agent.
 *
 * <p>Data flows in one direction: events of the watch and answers of writes go to {@code PoolPods};
 * {@code PodCare} performs the steps that {@code PodRules} decides, and puts ready pods into {@code
 * ReadyLine}; {@code Pool} matches them with {@code Claims}; {@code PodWrites} writes and keeps no
 * state.
 *
 * <p>All persistent state is in the pods, so a new process continues where the previous one ended.
 * Waiting claims do not survive it: their clients ask again, with the same id for the same claim.
 *
 * <p>Promised: no pod serves two claims, which the API server's version check alone ensures; every
 * claim ends with a pod or a named error by its deadline, except while a write is in progress then.
 * If a claim failed but got a pod, because the write's answer was lost, the pod is released when it
 * is seen. Not promised: order among claims that meet conflicts.
 */
@NullMarked
package dev.vertlet.sandbox.pool;

import org.jspecify.annotations.NullMarked;
