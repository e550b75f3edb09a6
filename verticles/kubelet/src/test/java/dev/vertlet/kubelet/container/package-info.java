@NullMarked
package dev.vertlet.kubelet.container;

import org.jspecify.annotations.NullMarked;
