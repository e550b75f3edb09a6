/** The fields of a KubeletConfiguration: their types, validation and effect in vertlet. */
@NullMarked
package dev.vertlet.kubeletconfig;

import org.jspecify.annotations.NullMarked;
