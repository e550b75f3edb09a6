/**
 * Decides and drives one pod: {@code PodPlan} and the plans below it say what to do next, {@code
 * ActionPerformer} and the actions do it, {@code PodDriver} shows what came of it and wakes up when
 * the decision says so. {@code Adoption} goes on where an agent before this one ended; {@code
 * RuntimeRelist} finds what events have missed.
 *
 * <p>Plans are functions of a pod's state and the time and change neither. A pod changes only on
 * the core's loop, in answer to a call, an event, a timer or a new definition.
 *
 * <p>Not promised: restart back-off is estimated from restart counts after a restart of the agent.
 * Thresholds of probes begin anew then, and a hook that was under way is not run again. The preStop
 * hook of a sidecar runs when its turn to end has come, not when the pod begins to end.
 */
@NullMarked
package dev.vertlet.lifecycle.podworker;

import org.jspecify.annotations.NullMarked;
