/**
 * Probes of containers: plans which are due, makes them and takes their answers. {@code
 * container.ProbeState} interprets the answers.
 */
@NullMarked
package dev.vertlet.kubelet.probe;

import org.jspecify.annotations.NullMarked;
