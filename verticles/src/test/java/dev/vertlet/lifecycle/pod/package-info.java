@NullMarked
package dev.vertlet.lifecycle.pod;

import org.jspecify.annotations.NullMarked;
