package dev.vertlet.streaming.session;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.spdy.SpdyProtocolException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with many streams, from the upgrade on. It ends when the client leaves, when it is
 * idle, on a protocol violation, or by {@link #finish}: queued data is sent, then the protocol's
 * closing frame, and then the client has time to close. Closing earlier would lose data: a
 * connection with unread input is reset, and the client loses the last data. The session therefore
 * waits for a slow client that shows activity.
 *
 * <p>Confined to the connection's loop.
 */
public abstract sealed class StreamSession extends ChannelInboundHandlerAdapter
    implements OutboundQueue.Frames permits ChannelSession, SpdySession {
  private static final Logger LOG = LoggerFactory.getLogger(StreamSession.class);

  /** Longest silence of a client after the closing frame; kubectl pings every 5 s. */
  static final long LINGER_MILLIS = 15_000;

  /**
   * Bytes of replies that are queued for a client that does not read them; above it the client
   * counts as hostile.
   */
  private static final int MOST_ANSWERS = 1024 * 1024;

  private enum Phase {
    OPEN,
    /** The closing frame is sent; input is discarded. */
    LEAVING,
    CLOSED
  }

  /**
   * State that is set when the handler is added, before any other call.
   *
   * @param client address of the client, which a closed channel no longer has
   */
  private record Parts(
      ChannelHandlerContext channel,
      LoopTasks tasks,
      String client,
      ReadThrottle intake,
      OutboundQueue outlets,
      IdleWatch idle) {}

  public final Executor handlers;
  private final StreamLimits limits;
  private final Promise<Void> over = Promise.promise();
  private @Nullable Parts parts;
  private Phase phase = Phase.OPEN;
  private boolean reading;

  /** Closes the connection after the closing frame; each input postpones it, up to a limit. */
  private @Nullable ScheduledFuture<?> silence;

  private @Nullable ScheduledFuture<?> latest;

  StreamSession(Executor handlers, StreamLimits limits) {
    this.handlers = handlers;
    this.limits = limits;
  }

  @Override
  public final void handlerAdded(ChannelHandlerContext channel) {
    LoopTasks tasks = new LoopTasks(channel.executor());
    parts =
        new Parts(
            channel,
            tasks,
            String.valueOf(channel.channel().remoteAddress()),
            new ReadThrottle(channel, this::ping),
            new OutboundQueue(channel, tasks, handlers, this, this::touch),
            new IdleWatch(channel.executor(), limits.idle(), this::expired));
    opened();
  }

  private Parts parts() {
    Parts set = parts;
    if (set == null) {
      throw new IllegalStateException("the session is not part of a pipeline");
    }
    return set;
  }

  public final ChannelHandlerContext channel() {
    return parts().channel();
  }

  public final LoopTasks tasks() {
    return parts().tasks();
  }

  final ReadThrottle intake() {
    return parts().intake();
  }

  final OutboundQueue outlets() {
    return parts().outlets();
  }

  final void touch() {
    parts().idle().touch();
  }

  public final boolean isOpen() {
    return phase == Phase.OPEN;
  }

  /** Completes on the loop when the client is unreachable. Never fails. */
  public final Future<Void> over() {
    return over.future();
  }

  /** Starts the session on the upgraded connection. */
  abstract void opened();

  /** Handles a frame; the caller releases it. */
  abstract void read(Object frame) throws ProtocolViolation;

  /** Writes a ping, which fails if the client has gone. */
  abstract void ping();

  /** Writes the closing frame of a regular end. */
  abstract void farewell();

  /** Writes the closing frame for a client that violated the protocol or exceeded a time limit. */
  abstract void blame(Throwable cause);

  /** Fails all streams after the end of the connection. */
  abstract void lost();

  /** Writes a frame at once, ahead of queued data. */
  final void answer(Object frame) {
    if (phase == Phase.OPEN && channel().channel().bytesBeforeWritable() > MOST_ANSWERS) {
      ReferenceCountUtil.release(frame);
      LOG.debug("client sends requests and reads no answers: {}", channel().channel());
      abort();
      return;
    }
    channel().write(frame, channel().newPromise());
    outlets().flushLater();
  }

  /** Ends the connection regularly after sending all queued data. */
  public final void finish() {
    outlets()
        .whenEmpty(
            () -> {
              if (phase == Phase.OPEN) {
                farewell();
                leave();
              }
            });
  }

  /** Ends the connection with a reason. */
  final void refuse(Throwable cause) {
    if (phase == Phase.OPEN) {
      LOG.debug("closing {}: {}", channel().channel(), cause.toString());
      blame(cause);
      leave();
    }
  }

  /**
   * Handles an internal failure. Failures after the end are expected: codecs continue with received
   * data that they have already released.
   */
  private void fail(Throwable fault) {
    LOG.debug("a stream session of {} failed", parts().client(), fault);
    if (phase != Phase.OPEN || !channel().channel().isActive()) {
      return;
    }
    LOG.atWarn()
        .addKeyValue("client", parts().client())
        .addKeyValue("error", String.valueOf(fault))
        .log("a stream session failed, its connection is closed");
    refuse(new SessionFailure(fault));
  }

  private void leave() {
    phase = Phase.LEAVING;
    parts().idle().stop();
    end();
    intake().resume();
    channel().flush();
    linger();
    latest = closeAfter(limits.idle().toMillis());
  }

  private void linger() {
    cancel(silence);
    silence = closeAfter(LINGER_MILLIS);
  }

  private ScheduledFuture<?> closeAfter(long millis) {
    return channel().executor().schedule(this::abort, millis, TimeUnit.MILLISECONDS);
  }

  private static void cancel(@Nullable ScheduledFuture<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }

  /**
   * Closes the connection at once, or after the current read: a codec that is closed during a read
   * continues, and the frames it then takes are never released.
   */
  final void abort() {
    if (reading) {
      channel().executor().execute(this::abort);
    } else {
      channel().close();
    }
  }

  private void expired() {
    refuse(new ProtocolIdle(limits.idle()));
  }

  private void end() {
    lost();
    handlers.execute(over::tryComplete);
  }

  @Override
  public final void channelRead(ChannelHandlerContext context, Object frame) {
    if (phase == Phase.LEAVING) {
      linger();
    }
    reading = true;
    try {
      read(frame);
    } catch (ProtocolViolation e) {
      refuse(e);
    } catch (RuntimeException e) {
      fail(e);
    } finally {
      reading = false;
      ReferenceCountUtil.release(frame);
    }
  }

  @Override
  public final void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
  }

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext context) {
    outlets().pump();
    context.fireChannelWritabilityChanged();
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    if (phase != Phase.CLOSED) {
      Phase before = phase;
      phase = Phase.CLOSED;
      parts().idle().stop();
      cancel(silence);
      cancel(latest);
      intake().resume();
      if (before == Phase.OPEN) {
        end();
      }
    }
    context.fireChannelInactive();
  }

  /** Returns whether the codecs report invalid input; they wrap every other failure. */
  private static boolean ofTheClient(Throwable cause) {
    return cause instanceof SpdyProtocolException
        || (cause instanceof DecoderException && cause.getCause() == null)
        // an invalid header name
        || cause instanceof IllegalArgumentException;
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("connection broken: {}", context.channel(), cause);
      abort();
    } else if (ofTheClient(cause)) {
      refuse(cause);
    } else {
      fail(cause);
    }
  }
}
