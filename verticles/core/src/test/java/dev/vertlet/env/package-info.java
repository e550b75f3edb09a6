@NullMarked
package dev.vertlet.env;

import org.jspecify.annotations.NullMarked;
