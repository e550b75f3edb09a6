/**
 * Lean, immutable views of Kubernetes objects and the code that decodes and encodes them.
 *
 * <p>A view keeps what decisions need and nothing else: no managedFields, no environment, no
 * volumes. Everything here is pure: no clock, no event loop, no I/O, safe on any thread.
 */
@NullMarked
package dev.vertlet.model;

import org.jspecify.annotations.NullMarked;
