@NullMarked
package dev.vertlet.cri.stream;

import org.jspecify.annotations.NullMarked;
