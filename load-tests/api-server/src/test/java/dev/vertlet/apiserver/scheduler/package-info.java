/** Tests of the controllers in {@code scheduler}, on a clock that the test moves. */
@NullMarked
package dev.vertlet.apiserver.scheduler;

import org.jspecify.annotations.NullMarked;
