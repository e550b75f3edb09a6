/**
 * Quantities, and what a pod requests in sum: the arithmetic of scheduler and kubelet, including
 * pod-level resources and resizes in place.
 */
@NullMarked
package dev.vertlet.model.resource;

import org.jspecify.annotations.NullMarked;
