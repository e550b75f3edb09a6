@NullMarked
package dev.vertlet.content;

import org.jspecify.annotations.NullMarked;
