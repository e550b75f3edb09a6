@NullMarked
package dev.vertlet.sources;

import org.jspecify.annotations.NullMarked;
