/**
 * Hooks of containers: plans which begin and end, and runs them. {@code container.SlotHooks} keeps
 * their state.
 */
@NullMarked
package dev.vertlet.kubelet.hook;

import org.jspecify.annotations.NullMarked;
