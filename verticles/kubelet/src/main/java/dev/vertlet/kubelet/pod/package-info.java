/**
 * The state of pods, the actions that a plan can choose, and what all packages of the core share:
 * calls to the runtime, Events, meters and the timer wheel.
 *
 * <p>{@link dev.vertlet.kubelet.pod.PodState} owns all that is known of one pod: other classes read
 * it, and change it only through its methods, which are named after what happened. {@code
 * PodState.view} is the pod with the resources that its node has granted. {@code Resizing} has the
 * resources that the API object asks for beyond that. A part with states of its own, such as {@code
 * Sandbox}, is an immutable value whose methods are its transitions; {@code PodState} holds the
 * current one. Its base, {@code DrivenPod}, has what the core keeps of a pod besides its state. All
 * state belongs to the context of the core.
 */
@NullMarked
package dev.vertlet.kubelet.pod;

import org.jspecify.annotations.NullMarked;
