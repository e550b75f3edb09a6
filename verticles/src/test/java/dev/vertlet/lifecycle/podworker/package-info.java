@NullMarked
package dev.vertlet.lifecycle.podworker;

import org.jspecify.annotations.NullMarked;
