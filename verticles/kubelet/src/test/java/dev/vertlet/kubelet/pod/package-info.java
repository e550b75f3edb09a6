@NullMarked
package dev.vertlet.kubelet.pod;

import org.jspecify.annotations.NullMarked;
