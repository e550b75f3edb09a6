@NullMarked
package dev.vertlet.lifecycle.image;

import org.jspecify.annotations.NullMarked;
