@NullMarked
package dev.vertlet.kubelet.nodehealth;

import org.jspecify.annotations.NullMarked;
