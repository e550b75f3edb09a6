/**
 * Decides whether the volumes of a pod can be mounted, from its definition and the objects that it
 * refers to. Pure: no event loop, no clock.
 */
@NullMarked
package dev.vertlet.kubelet.volume;

import org.jspecify.annotations.NullMarked;
