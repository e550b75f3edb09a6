/**
 * The state file: the objects of a server that is to survive a restart.
 *
 * <p>{@link dev.vertlet.apiserver.state.StateFile} reads and writes, off the event loop; {@link
 * dev.vertlet.apiserver.state.StateKeeper} decides when, on the event loop. A write is atomic: a
 * temporary file is forced to disk and renamed. What was changed since the last write is lost when
 * the process is killed; history is lost with every restart, and revisions jump ahead, so that
 * every watch from before it answers {@code 410 Expired}.
 */
@NullMarked
package dev.vertlet.apiserver.state;

import org.jspecify.annotations.NullMarked;
