@NullMarked
package dev.vertlet.payload;

import org.jspecify.annotations.NullMarked;
