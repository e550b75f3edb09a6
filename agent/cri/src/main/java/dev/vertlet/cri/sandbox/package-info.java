/**
 * Sandboxes of pods: their configuration, field by field as a kubelet writes it, the marks by which
 * an agent knows its own, and the calls that run, stop and remove them.
 */
@NullMarked
package dev.vertlet.cri.sandbox;

import org.jspecify.annotations.NullMarked;
