/**
 * The simulated runtime: containers that run no process but start, become ready, end and are killed
 * as rules and annotations say.
 *
 * <p>{@link dev.vertlet.simulated.SimulatedRuntime} implements {@code ContainerRuntime} and
 * notifies its listener; {@link dev.vertlet.simulated.TroubledNodes} reports nodes as lost or not
 * ready. The package uses no event bus. These two, {@code InstanceDriver}, {@code Sandboxes},
 * {@code SimulatedContainers}, {@code SimulatedImages}, {@code DelayedCall} and {@code VertxTimers}
 * use Futures and timers; all other classes are pure: they take the time in milliseconds and derive
 * chance from a hash of seed, pod, container and attempt. Every instance lives on the context of
 * its shard and has no locks.
 *
 * <p>Not promised: persistence. After a restart of the agent everything is rebuilt from the pod's
 * status; state that the status does not hold (a stop in progress, milliseconds of a start) is
 * lost.
 *
 * <p>What drives containers is here, above the pure {@link dev.vertlet.simulated.rule} and {@link
 * dev.vertlet.simulated.node}, and {@link dev.vertlet.simulated.stream}.
 */
@NullMarked
package dev.vertlet.simulated;

import org.jspecify.annotations.NullMarked;
