@NullMarked
package dev.vertlet.lifecycle;

import org.jspecify.annotations.NullMarked;
