/**
 * The fields of a KubeletConfiguration: their types, their validation, and their effect in vertlet.
 */
@NullMarked
package dev.vertlet.kubeletconfig;

import org.jspecify.annotations.NullMarked;
