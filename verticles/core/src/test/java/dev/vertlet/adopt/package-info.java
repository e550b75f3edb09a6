@NullMarked
package dev.vertlet.adopt;

import org.jspecify.annotations.NullMarked;
