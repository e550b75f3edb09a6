/**
 * The kubelet core: restart, back-off, phases, start order, status and termination of pods, over a
 * {@link dev.vertlet.provider.ContainerRuntime} that only does what it is told.
 *
 * <p>Pure: {@link dev.vertlet.lifecycle.PodPhases}, {@code PodDecision} (what to do next), {@code
 * ProbeState} and {@code SlotHooks} (what probes and hooks mean), {@code StatusAssembly} (what to
 * show), {@code Adoption} (what survived a restart), {@code InstanceLookup} (whose log or process
 * is meant). They read a pod's state and the time they are given, and know no event loop. {@link
 * dev.vertlet.lifecycle.KubeletCore} is the shell that performs decisions and feeds results back.
 *
 * <p>Environments of containers are made by {@link dev.vertlet.env.EnvironmentResolver} right
 * before a start; {@code ContainerEnvironments} says which pods need what for that.
 *
 * <p>Messages: none on the bus; statuses and events leave through {@link
 * dev.vertlet.provider.ProviderContext}. All state belongs to the context {@code start} was called
 * on; answers and runtime events of other threads hop to it.
 *
 * <p>{@code PodState.pod} is the pod as its node has granted it. What its object asks for beyond
 * that is in {@code Resizing}; {@code ResizeQueue} grants it, and {@code ResizePlan} says how
 * containers come to have it. The API server's status is the only memory of both.
 *
 * <p>Not promised: pods with resources of their own are not resized as a whole. Of limits the
 * status shows what a container has and not what it was granted: where a resize was under way when
 * the agent ended, and the spec has changed since, limits are granted anew. Restart back-off is
 * estimated from restart counts after a restart of the agent. Thresholds of probes begin anew then,
 * and a hook that was under way is not run again. The preStop hook of a sidecar runs when its turn
 * to end has come, not when the pod begins to end.
 */
@NullMarked
package dev.vertlet.lifecycle;

import org.jspecify.annotations.NullMarked;
