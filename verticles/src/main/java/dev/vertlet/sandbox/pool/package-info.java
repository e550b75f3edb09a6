/**
 * Pools of warm sandbox pods: who gets which pod, what becomes of pods that fail, and how many
 * there are. {@link dev.vertlet.sandbox.pool.Pool} decides, on its loop and without an event loop
 * of its own; {@link dev.vertlet.sandbox.pool.PoolVerticle} brings it pods from a watch and
 * questions from other contexts. It takes and sends no messages: it runs in a process of its own,
 * not in an agent's.
 *
 * <p>What is known goes one way: the watch and the answers to writes end up in {@code PodBook}, by
 * {@code PodRules} {@code PodCare} does what is due for a pod, and puts the ready ones in {@code
 * ReadyLine}; {@code Pool} brings those and {@code Claims} together; {@code PodWrites} writes, and
 * remembers nothing.
 *
 * <p>All that must survive is in the pods, so a pool that begins anew goes on where another one
 * ended; claims that wait do not survive it, their senders do and ask again, with the same id if it
 * shall be one claim.
 *
 * <p>Promised: no pod serves two claims, by the API server's check of versions and nothing else;
 * every claim ends with a pod or a named error by its deadline, but for a write that is on its way
 * then. A claim that ended in an error and got a pod all the same, as its answer was lost, is taken
 * back when the pod is seen. Not promised: order among claims that meet conflicts.
 */
@NullMarked
package dev.vertlet.sandbox.pool;

import org.jspecify.annotations.NullMarked;
