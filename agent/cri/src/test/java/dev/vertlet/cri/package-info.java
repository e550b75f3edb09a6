@NullMarked
package dev.vertlet.cri;

import org.jspecify.annotations.NullMarked;
