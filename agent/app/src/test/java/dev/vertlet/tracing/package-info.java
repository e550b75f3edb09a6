@NullMarked
package dev.vertlet.tracing;

import org.jspecify.annotations.NullMarked;
