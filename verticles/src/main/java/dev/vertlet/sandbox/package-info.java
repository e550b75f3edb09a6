/**
 * Sandbox pods: pods that stay where they are while the image in them is swapped, by the
 * annotations and labels of agentbox. This half writes the pods and judges by their status; the
 * kubelet of the node, whoever that is, does the swap. The two meet in the API server alone.
 *
 * <p>{@link dev.vertlet.sandbox.SandboxOperations} is a library: it holds no pods and takes no
 * messages. It runs on the loop it was given. What decides ({@code TriggerPlan}, {@code
 * CompletionPlan}, {@code PhaseTimes}, {@code Restarts}, {@code InplaceState}) is pure.
 *
 * <p>Not promised: that an update ends. A kubelet that is away, or an image that cannot be pulled,
 * leaves a pod starting until somebody takes it back; {@link dev.vertlet.sandbox.pool} does.
 */
@NullMarked
package dev.vertlet.sandbox;

import org.jspecify.annotations.NullMarked;
