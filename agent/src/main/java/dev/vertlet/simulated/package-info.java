/**
 * The simulated runtime: containers that run nothing but start, become ready, end and die as rules
 * and annotations say.
 *
 * <p>{@link dev.vertlet.simulated.SimulatedRuntime} takes the calls of {@code ContainerRuntime} and
 * tells its listener what happened; {@link dev.vertlet.simulated.TroubledNodes} says of nodes that
 * they are lost or not ready. Nothing is sent on the bus. These two, {@code InstanceDriver}, {@code
 * Sandboxes}, {@code Pull} and {@code VertxTimers} know Futures and timers; all else is pure: time
 * comes in as milliseconds, chance from a hash over seed, pod, container and attempt. Every
 * instance lives on the context of its shard and has no locks.
 *
 * <p>Not promised: a memory of its own. After a restart of the agent everything is rebuilt from the
 * pod's status; what that does not hold (a stop under way, milliseconds of a start) is gone.
 */
@NullMarked
package dev.vertlet.simulated;

import org.jspecify.annotations.NullMarked;
