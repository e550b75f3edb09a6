@NullMarked
package dev.vertlet.references;

import org.jspecify.annotations.NullMarked;
