/**
 * Lean, immutable views of Kubernetes objects, and the code that decodes and encodes them.
 *
 * <p>A view keeps only the fields that decisions need, without managedFields. Everything here is
 * pure: no clock, no event loop, no I/O, safe on any thread.
 *
 * <p>Here is what all objects share. Views and decoders are in packages by object: {@link
 * dev.vertlet.model.pod} with {@link dev.vertlet.model.container} and {@link
 * dev.vertlet.model.status}, {@link dev.vertlet.model.node}, {@link dev.vertlet.model.reference};
 * {@link dev.vertlet.model.wire} decodes pods, {@link dev.vertlet.model.resource} calculates.
 */
@NullMarked
package dev.vertlet.model;

import org.jspecify.annotations.NullMarked;
