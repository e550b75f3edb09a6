/**
 * The kubelet core: restart, back-off, phases, start order, status and termination of pods, over a
 * {@link dev.vertlet.provider.container.ContainerRuntime}, which decides nothing itself.
 *
 * <p>This package wires the core and takes pods in. Its subpackages do not depend on it, and their
 * dependencies have no cycles; from the lowest to the highest:
 *
 * <ul>
 *   <li>{@code container}: the state of one container, and the rules that need no other state
 *   <li>{@code pod}: the state of pods, the actions a plan can choose, and what all subpackages
 *       share
 *   <li>{@code hook}, {@code probe}, {@code image}, {@code resize}: the plan for each of these, and
 *       the actions that perform it
 *   <li>{@code volume}: whether a pod's volumes can be mounted
 *   <li>{@code status}: assembles the status of a pod for the API server
 *   <li>{@code podworker}: decides and drives one pod
 *   <li>{@code nodehealth}: node conditions, admission and eviction
 * </ul>
 *
 * <p>Plans, rules and status assembly are functions of a pod's state and the time, and know no
 * event loop. {@link dev.vertlet.kubelet.KubeletCore} performs decisions and feeds results back.
 *
 * <p>{@link dev.vertlet.env.EnvironmentResolver} resolves a container's environment right before
 * its start; {@code ContainerEnvironments} holds the references that it needs.
 *
 * <p>Messages: none on the bus; statuses and events leave through {@link
 * dev.vertlet.provider.pod.ProviderContext}. All state belongs to the context that {@code start}
 * was called on; answers and runtime events on other threads hop to it.
 */
@NullMarked
package dev.vertlet.kubelet;

import org.jspecify.annotations.NullMarked;
