@NullMarked
package dev.vertlet.cri.wire;

import org.jspecify.annotations.NullMarked;
