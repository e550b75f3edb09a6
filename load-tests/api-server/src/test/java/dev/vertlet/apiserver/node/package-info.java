/** Tests of the controllers in {@code node}, on a clock that the test moves. */
@NullMarked
package dev.vertlet.apiserver.node;

import org.jspecify.annotations.NullMarked;
