package dev.vertlet.streaming.session;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stops reading a connection while too much received data is unprocessed. A connection that is not
 * read does not notice that its client has gone, so it is pinged meanwhile: a write to a closed
 * connection fails. Confined to the connection's loop.
 */
final class ReadThrottle {
  /** Buffered bytes at which reading stops; the data of the current read may exceed it. */
  static final int MOST = 128 * 1024;

  private static final long PING_SECONDS = 10;

  private final ChannelHandlerContext channel;
  private final Runnable ping;
  private long held;
  private @Nullable ScheduledFuture<?> pings;

  ReadThrottle(ChannelHandlerContext channel, Runnable ping) {
    this.channel = channel;
    this.ping = ping;
  }

  void hold(int bytes) {
    held += bytes;
    if (pings == null && held > MOST) {
      channel.channel().config().setAutoRead(false);
      pings =
          channel
              .executor()
              .scheduleAtFixedRate(ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
    }
  }

  void free(int bytes) {
    held -= bytes;
    if (held <= MOST / 2) {
      resume();
    }
  }

  /** Resumes reading regardless of the buffered bytes. */
  void resume() {
    if (pings != null) {
      pings.cancel(false);
      pings = null;
      channel.channel().config().setAutoRead(true);
    }
  }
}
