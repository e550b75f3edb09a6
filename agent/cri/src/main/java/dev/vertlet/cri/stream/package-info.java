/**
 * Logs, commands, terminals and ports: sessions with the streaming server of the container runtime,
 * in SPDY/3.1, which all of them speak.
 *
 * <p>A session belongs to the event loop on which it was opened. Clients' streams belong to others:
 * data hops over, and a slow reader on either side slows the other down. A session ends when the
 * runtime ends it, after all its output was written, or when its client leaves.
 */
@NullMarked
package dev.vertlet.cri.stream;

import org.jspecify.annotations.NullMarked;
