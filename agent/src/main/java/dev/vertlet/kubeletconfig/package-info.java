/** The fields of a KubeletConfiguration: their types, and what each of them means here. */
@NullMarked
package dev.vertlet.kubeletconfig;

import org.jspecify.annotations.NullMarked;
