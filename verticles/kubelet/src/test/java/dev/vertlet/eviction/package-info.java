@NullMarked
package dev.vertlet.eviction;

import org.jspecify.annotations.NullMarked;
