@NullMarked
package dev.vertlet.cri.sandbox;

import org.jspecify.annotations.NullMarked;
