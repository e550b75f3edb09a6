@NullMarked
package dev.vertlet.kubelet.status;

import org.jspecify.annotations.NullMarked;
