/** The server's side of WebSocket connections that it answers itself: watches and logs. */
@NullMarked
package dev.vertlet.apiserver.websocket;

import org.jspecify.annotations.NullMarked;
