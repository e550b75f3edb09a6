@NullMarked
package dev.vertlet.lifecycle.container;

import org.jspecify.annotations.NullMarked;
