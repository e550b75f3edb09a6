@NullMarked
package dev.vertlet.kubelet.image;

import org.jspecify.annotations.NullMarked;
