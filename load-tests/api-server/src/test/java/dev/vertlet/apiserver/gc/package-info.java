/** Tests of the controllers in {@code gc}, on a clock that the test moves. */
@NullMarked
package dev.vertlet.apiserver.gc;

import org.jspecify.annotations.NullMarked;
