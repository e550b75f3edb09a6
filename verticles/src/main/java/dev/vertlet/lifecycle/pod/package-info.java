/**
 * The state of pods, what may be decided about them, and what all rooms of the core share: calls to
 * the runtime, Events, meters and the wheel of timers.
 *
 * <p>{@link dev.vertlet.lifecycle.pod.PodState} is the one owner of what is known of a pod: others
 * ask it, or tell it what has happened by the method of that name. {@code PodState.view} is the pod
 * as its node has granted it. What its object asks for beyond that is in {@code Resizing}. All
 * state belongs to the context of the core.
 */
@NullMarked
package dev.vertlet.lifecycle.pod;

import org.jspecify.annotations.NullMarked;
