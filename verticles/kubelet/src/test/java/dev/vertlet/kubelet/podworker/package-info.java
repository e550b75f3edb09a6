@NullMarked
package dev.vertlet.kubelet.podworker;

import org.jspecify.annotations.NullMarked;
