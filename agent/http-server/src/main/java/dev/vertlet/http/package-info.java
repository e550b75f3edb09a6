/**
 * HTTP servers that strangers can reach: the one home of their options and limits.
 *
 * <p>{@link dev.vertlet.http.HttpServers} makes every server of the project. It bounds what clients
 * hold before they are admitted: connections, handshakes, heads of requests and requests are
 * counted in bytes against one limit, and the oldest connection of the client that holds most is
 * closed when it is reached. Whoever serves a request calls {@link
 * dev.vertlet.http.HttpServers#admitted} once the client may have what it asks for; from then on
 * its connection is trusted and counts no more.
 *
 * <p>Everything here is confined to the event loop of the verticle that serves. Not promised: that
 * a client without rights is served while others without rights hold all there is.
 */
@NullMarked
package dev.vertlet.http;

import org.jspecify.annotations.NullMarked;
