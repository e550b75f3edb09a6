/**
 * What becomes of Events after they are written: they go after a while.
 *
 * <p>A controller in the sense of {@link dev.vertlet.apiserver.control}. Not promised: the exact
 * time, which a restart puts off.
 */
@NullMarked
package dev.vertlet.apiserver.event;

import org.jspecify.annotations.NullMarked;
