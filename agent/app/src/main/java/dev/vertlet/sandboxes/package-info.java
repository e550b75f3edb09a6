/**
 * The process that runs pools of sandboxes, {@code ./vertlet sandbox serve}, and the commands that
 * are its clients. It is separate from the agent: agents run on each host, while one such process
 * serves a cluster. Several may run; a Lease elects the leader, and the others refer clients to it.
 *
 * <p>{@code SandboxApi} serves HTTP on its own event loop; {@link
 * dev.vertlet.sandbox.pool.PoolVerticle} manages the pools. The package uses no event bus.
 *
 * <p>Not promised: that two processes never act at once for a moment when the Lease changes hands.
 * They could create too many pods, which the next reconciliation removes; no pod is claimed twice.
 */
@NullMarked
package dev.vertlet.sandboxes;

import org.jspecify.annotations.NullMarked;
