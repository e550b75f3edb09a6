/**
 * The process that keeps pools of sandboxes, {@code ./vertlet sandbox serve}, and the commands that
 * ask it. It is a process of its own and not a part of the agent: agents run on each host, while
 * one of these serves a cluster. Several may run; a Lease says which one acts, and the others name
 * it.
 *
 * <p>{@code SandboxApi} is HTTP and runs on an event loop of its own; the pools are {@link
 * dev.vertlet.sandbox.pool.PoolVerticle}'s. Nothing here takes or sends messages.
 *
 * <p>Not promised: that two processes never both act for a moment when a Lease changes hands. They
 * could make pods too many, which the next look takes away; no pod is claimed twice by that.
 */
@NullMarked
package dev.vertlet.sandboxes;

import org.jspecify.annotations.NullMarked;
