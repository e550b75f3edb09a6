/**
 * Lean, immutable views of Kubernetes objects, and the code that decodes and encodes them.
 *
 * <p>A view keeps only the fields that decisions need, without managedFields. Everything here is
 * pure: no clock, no event loop, no I/O, safe on any thread.
 */
@NullMarked
package dev.vertlet.model;

import org.jspecify.annotations.NullMarked;
