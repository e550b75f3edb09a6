/**
 * Probes of containers: which are due, making them, and taking their answers. What the answers mean
 * is in {@code container.ProbeState}.
 */
@NullMarked
package dev.vertlet.lifecycle.probe;

import org.jspecify.annotations.NullMarked;
