/**
 * The state of one container, and the rules that need no other state: restarts and their back-off,
 * hooks and probes, the status of a lost container. Pure; knows no pod, no event loop and no
 * runtime.
 *
 * <p>{@link dev.vertlet.kubelet.container.ContainerSlot} owns this state and is the only class that
 * changes it; {@code SlotBackOff} decides the delay of a CrashLoopBackOff.
 */
@NullMarked
package dev.vertlet.kubelet.container;

import org.jspecify.annotations.NullMarked;
