/**
 * Decides and drives one pod: {@code PodPlan} and the plans below it decide what to do next, {@code
 * ActionPerformer} and the actions perform it, {@code PodDriver} reports the result and sets the
 * timer for the next decision. {@code Adoption} continues from where an earlier agent stopped;
 * {@code RuntimeRelist} finds changes whose events were missed.
 *
 * <p>Plans are functions of a pod's state and the time and change neither. A pod changes only on
 * the core's loop, in answer to a call, an event, a timer or a new definition.
 *
 * <p>Not promised: restart back-off is estimated from restart counts after a restart of the agent.
 * Probe thresholds start from zero then, and a hook that was running is not run again. The preStop
 * hook of a sidecar runs when the sidecar's turn to end has come, not when the pod begins to end.
 */
@NullMarked
package dev.vertlet.kubelet.podworker;

import org.jspecify.annotations.NullMarked;
