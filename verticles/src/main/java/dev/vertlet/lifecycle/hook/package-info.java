/**
 * Hooks of containers: which have to begin or are over, and running them. How far they are is in
 * {@code container.SlotHooks}.
 */
@NullMarked
package dev.vertlet.lifecycle.hook;

import org.jspecify.annotations.NullMarked;
