/** Tests of the life of Events, on a clock that the test moves. */
@NullMarked
package dev.vertlet.apiserver.event;

import org.jspecify.annotations.NullMarked;
