/**
 * The wire protocols by which people reach into pods: commands and terminals over WebSocket and
 * SPDY/3.1, forwarded ports over SPDY/3.1, over SPDY in a WebSocket and over WebSocket channels.
 *
 * <p>{@link dev.vertlet.streaming.RemoteCommands} and {@link dev.vertlet.streaming.PortForwarding}
 * take a request over and show its streams as {@link dev.vertlet.provider.ContainerIo} and {@link
 * dev.vertlet.provider.Connection}. Everything of a connection belongs to its event loop; the
 * streams may be used from any thread and hand over to it. Frames are Netty's business, what they
 * mean is ours. No Kubernetes objects, no bus.
 *
 * <p>Kept in memory for a client that does not read, or a command that does not: some hundred
 * kilobytes a connection, whatever is sent. Not guaranteed: that streams of one connection do not
 * hold each other up. The clients there are ignore the flow control of SPDY, so one stream that
 * nobody reads stops the whole connection, as it does on a kubelet.
 */
@NullMarked
package dev.vertlet.streaming;

import org.jspecify.annotations.NullMarked;
