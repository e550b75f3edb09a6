/**
 * The fields of a KubeletConfiguration: their types, validation and effect in vertlet.
 *
 * <p>Validation is in {@link dev.vertlet.kubeletconfig.validation}.
 */
@NullMarked
package dev.vertlet.kubeletconfig;

import org.jspecify.annotations.NullMarked;
