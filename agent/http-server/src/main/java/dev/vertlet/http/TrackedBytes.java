package dev.vertlet.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reports bytes that precede a request to the tracker. It is the first handler in the pipeline that
 * sees decrypted bytes, from the very first one on.
 */
final class TrackedBytes extends ChannelInboundHandlerAdapter {
  static final String NAME = "trackedBytes";

  private static final byte LINE_FEED = '\n';

  private final ConnectionTracker tracker;
  private final TrackedConnection connection;
  private @Nullable Http2Frames frames;
  private boolean first = true;
  private boolean reading;
  private boolean inactiveFired;

  TrackedBytes(ConnectionTracker tracker, TrackedConnection connection) {
    this.tracker = tracker;
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    reading = true;
    try {
      if (message instanceof ByteBuf bytes) {
        if (first) {
          first = false;
          frames = isHttp2(context) ? new Http2Frames(new Heads()) : null;
        }
        read(bytes);
      }
      if (connection.open) {
        context.fireChannelRead(message);
      } else {
        ReferenceCountUtil.release(message);
      }
    } finally {
      reading = false;
    }
  }

  /**
   * Handles a closed channel: notifies the following handlers at once, which then release their
   * data. Netty notifies them only after reading from every ready channel, possibly all of the
   * server. Does nothing while they read.
   */
  void closed(ChannelHandlerContext context) {
    if (!reading) {
      channelInactive(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!inactiveFired) {
      inactiveFired = true;
      context.fireChannelInactive();
    }
  }

  /**
   * Returns whether the connection uses HTTP/2. A connection without TLS may switch to it later;
   * {@link Http2Tracking} then removes this handler.
   */
  private static boolean isHttp2(ChannelHandlerContext context) {
    SslHandler tls = context.pipeline().get(SslHandler.class);
    return tls != null && ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol());
  }

  private void read(ByteBuf bytes) {
    Http2Frames http2 = frames;
    if (http2 != null) {
      http2.read(bytes);
    } else if (!isAdmitted()) {
      tracker.received(connection, cost(bytes));
    }
  }

  /** Returns whether the bytes belong to an admitted request or the end of its body. */
  private boolean isAdmitted() {
    return connection.underWay.isEmpty()
        ? connection.trusted && connection.readingBody
        : connection.pending.isEmpty();
  }

  /** Returns the bytes to count: fields of short lines take more memory than the lines. */
  private static long cost(ByteBuf bytes) {
    int[] lines = new int[1];
    bytes.forEachByte(
        b -> {
          if (b == LINE_FEED) {
            lines[0]++;
          }
          return true;
        });
    return bytes.readableBytes() + (long) lines[0] * ConnectionLimits.FIELD;
  }

  private final class Heads implements Http2Frames.Listener {
    private boolean head;

    @Override
    public void head(int bytes) {
      if (!head) {
        head = true;
        tracker.headBegan(connection);
      }
      tracker.received(connection, bytes);
    }

    @Override
    public void headEnded() {
      head = false;
      tracker.headEnded(connection);
      tracker.released(connection);
    }

    @Override
    public void body(int stream, int bytes) {
      tracker.bodyReceived(connection, stream, bytes);
    }
  }
}
