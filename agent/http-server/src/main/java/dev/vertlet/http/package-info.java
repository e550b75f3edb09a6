/**
 * HTTP servers for untrusted networks, with their options and limits.
 *
 * <p>{@link dev.vertlet.http.HttpServers} creates every HTTP server of the project. It limits what
 * clients hold before admission: connections, handshakes, request headers and requests count in
 * bytes against one limit. At that limit the oldest connection of the client that holds the most is
 * closed. A request handler calls {@link dev.vertlet.http.HttpServers#admitted} once the client is
 * authorized; from then on its connection is trusted and no longer counted.
 *
 * <p>The package is confined to the event loop of the verticle that serves. Not promised: service
 * for an unauthorized client while other unauthorized clients use up the limit.
 */
@NullMarked
package dev.vertlet.http;

import org.jspecify.annotations.NullMarked;
