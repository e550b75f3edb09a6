/**
 * Wire protocols of exec, attach and port-forward: commands and terminals over WebSocket and
 * SPDY/3.1, forwarded ports over SPDY/3.1, over SPDY in a WebSocket and over WebSocket channels.
 *
 * <p>{@link dev.vertlet.streaming.RemoteCommands} and {@link dev.vertlet.streaming.PortForwarding}
 * upgrade a request and present its streams as {@link dev.vertlet.provider.stream.ContainerIo} and
 * {@link dev.vertlet.provider.stream.Connection}. All state of a connection belongs to its event
 * loop; the streams are thread-safe and delegate to it. Netty encodes and decodes frames; this
 * package interprets them. It uses no Kubernetes objects and no event bus.
 *
 * <p>A connection whose client or command does not read buffers at most a few hundred kilobytes,
 * whatever is sent. Not guaranteed: that the streams of one connection do not block each other.
 * Existing clients ignore the flow control of SPDY, so one unread stream stops the whole
 * connection, as it does on a kubelet.
 *
 * <p>Upgrades, commands and forwarded ports are here; a connection with its streams is in {@link
 * dev.vertlet.streaming.session}.
 */
@NullMarked
package dev.vertlet.streaming;

import org.jspecify.annotations.NullMarked;
