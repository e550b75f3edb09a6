/**
 * The kubelet core: restart, back-off, phases, start order, status and termination of pods, over a
 * {@link dev.vertlet.provider.ContainerRuntime} that only does what it is told.
 *
 * <p>This package puts the core together and takes pods in. Its rooms know nothing of it, and none
 * of them needs one that needs it; from the lowest to the highest:
 *
 * <ul>
 *   <li>{@code container}: the state of one container, and the rules that go by it alone
 *   <li>{@code pod}: the state of pods, what may be decided about them, and what all rooms share
 *   <li>{@code hook}, {@code probe}, {@code image}, {@code resize}: what is due of one thing, and
 *       how it is done
 *   <li>{@code status}: what the API server should show of a pod
 *   <li>{@code podworker}: decides and drives one pod
 *   <li>{@code nodehealth}: whether a node can run pods, which it admits, and which have to go
 * </ul>
 *
 * <p>Plans, rules and what is shown are functions of a pod's state and the time they are given, and
 * know no event loop. {@link dev.vertlet.lifecycle.KubeletCore} is the shell that performs
 * decisions and feeds results back.
 *
 * <p>Environments of containers are made by {@link dev.vertlet.env.EnvironmentResolver} right
 * before a start; {@code ContainerEnvironments} says which pods need what for that.
 *
 * <p>Messages: none on the bus; statuses and events leave through {@link
 * dev.vertlet.provider.ProviderContext}. All state belongs to the context {@code start} was called
 * on; answers and runtime events of other threads hop to it.
 */
@NullMarked
package dev.vertlet.lifecycle;

import org.jspecify.annotations.NullMarked;
