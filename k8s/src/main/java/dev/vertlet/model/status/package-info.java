/**
 * Views of a pod's status, and {@link dev.vertlet.model.status.StatusPatch}, which writes the
 * difference of two of them.
 */
@NullMarked
package dev.vertlet.model.status;

import org.jspecify.annotations.NullMarked;
