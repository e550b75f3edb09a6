package dev.vertlet.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Tells the tracker what a client sends before it is a request. It is the first in its pipeline to
 * see bytes in the clear, from the very first one on.
 */
final class TrackedBytes extends ChannelInboundHandlerAdapter {
  static final String NAME = "trackedBytes";

  private static final byte LINE_FEED = '\n';

  private final ConnectionTracker tracker;
  private final TrackedConnection connection;
  private @Nullable Http2Frames frames;
  private boolean first = true;
  private boolean reading;
  private boolean told;

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
   * The channel was closed: tells the handlers behind this one at once, which then release what
   * they hold. Netty tells them after it has read from every channel that was ready, which may be
   * all that the server has. Nothing while they read.
   */
  void closed(ChannelHandlerContext context) {
    if (!reading) {
      channelInactive(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!told) {
      told = true;
      context.fireChannelInactive();
    }
  }

  /** Without TLS a connection may become one later; {@link Http2Tracking} then removes this. */
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

  /** Whether the bytes are those of a request that was let in, or the end of its body. */
  private boolean isAdmitted() {
    return connection.underWay.isEmpty()
        ? connection.trusted && connection.readingBody
        : connection.pending.isEmpty();
  }

  /** Short lines become fields that are larger than they are. */
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
