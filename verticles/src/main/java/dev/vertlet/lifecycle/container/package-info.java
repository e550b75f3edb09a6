/**
 * The state of one container, and the rules that go by it alone: restarts and their pauses, hooks
 * and probes, what is shown of an end that nobody saw. Pure; knows no pod, no event loop and no
 * runtime.
 *
 * <p>{@link dev.vertlet.lifecycle.container.ContainerSlot} owns all of it and is the one class that
 * changes it; the delay of a CrashLoopBackOff is decided in {@code SlotBackOff}.
 */
@NullMarked
package dev.vertlet.lifecycle.container;

import org.jspecify.annotations.NullMarked;
