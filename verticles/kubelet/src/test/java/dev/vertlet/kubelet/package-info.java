@NullMarked
package dev.vertlet.kubelet;

import org.jspecify.annotations.NullMarked;
