@NullMarked
package dev.vertlet.fetch;

import org.jspecify.annotations.NullMarked;
