/** Tests of the controllers in {@code disruption}, on a clock that the test moves. */
@NullMarked
package dev.vertlet.apiserver.disruption;

import org.jspecify.annotations.NullMarked;
