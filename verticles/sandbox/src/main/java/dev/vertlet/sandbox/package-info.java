/**
 * Sandbox pods: pods that stay in place while their image is swapped, with the annotations and
 * labels of agentbox. This package writes the pods and reads their status; the node's kubelet,
 * vertlet or any other, swaps the image. The two communicate through the API server only.
 *
 * <p>{@link dev.vertlet.sandbox.SandboxOperations} is a library: it keeps no pods, uses no bus
 * messages, and runs on the caller's loop. The decisions ({@code TriggerPlan}, {@code
 * CompletionPlan}, {@code PhaseTimes}, {@code Restarts}, {@code InplaceState}) are pure.
 *
 * <p>Not promised: that an update ends. A kubelet that is away, or an image that cannot be pulled,
 * leaves a pod starting until a client releases it; {@link dev.vertlet.sandbox.pool} does.
 */
@NullMarked
package dev.vertlet.sandbox;

import org.jspecify.annotations.NullMarked;
