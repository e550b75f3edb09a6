/** Rotation of containers' logs. */
@NullMarked
package dev.vertlet.cri.logs;

import org.jspecify.annotations.NullMarked;
