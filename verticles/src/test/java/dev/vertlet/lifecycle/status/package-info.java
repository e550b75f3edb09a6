@NullMarked
package dev.vertlet.lifecycle.status;

import org.jspecify.annotations.NullMarked;
