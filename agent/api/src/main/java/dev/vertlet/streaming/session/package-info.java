/**
 * One streaming connection: frames and channels of WebSocket and SPDY/3.1, streams in both
 * directions, limits and back-pressure. Netty encodes and decodes frames. All state belongs to the
 * connection's event loop; the streams are thread-safe and delegate to it.
 */
@NullMarked
package dev.vertlet.streaming.session;

import org.jspecify.annotations.NullMarked;
