@NullMarked
package dev.vertlet.cri.container;

import org.jspecify.annotations.NullMarked;
