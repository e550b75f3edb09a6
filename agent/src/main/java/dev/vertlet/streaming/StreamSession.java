package dev.vertlet.streaming;

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
 * One connection of many streams, from the moment it speaks its protocol. It ends by the client's
 * leaving, by silence, by a breach of the protocol, or by {@link #finish}: then what waits is sent,
 * the protocol's farewell follows, and the client has time to close. A connection that is closed
 * while something unread lies in it or still comes is reset, and what was sent last is lost to the
 * client: one that reads slowly, but shows that it is there, is waited for.
 *
 * <p>Confined to the connection's loop.
 */
abstract sealed class StreamSession extends ChannelInboundHandlerAdapter implements Outlets.Frames
    permits ChannelSession, SpdySession {
  private static final Logger LOG = LoggerFactory.getLogger(StreamSession.class);

  /** How long a client may be silent after the farewell; kubectl pings every 5 s. */
  static final long LINGER_MILLIS = 15_000;

  /** Answers kept for a client that does not read them before it is taken for hostile. */
  private static final int MOST_ANSWERS = 1024 * 1024;

  private enum Phase {
    OPEN,
    /** Its farewell is sent: what comes is thrown away. */
    LEAVING,
    CLOSED
  }

  /**
   * Set when the handler is added, before anything else happens.
   *
   * @param client its address, which a closed connection has forgotten
   */
  private record Parts(
      ChannelHandlerContext channel,
      String client,
      Intake intake,
      Outlets outlets,
      IdleWatch idle) {}

  final Executor handlers;
  private final StreamLimits limits;
  private final Promise<Void> over = Promise.promise();
  private @Nullable Parts parts;
  private Phase phase = Phase.OPEN;
  private boolean reading;

  /** Closes the connection after the farewell: put off by whatever comes, and at the latest. */
  private @Nullable ScheduledFuture<?> silence;

  private @Nullable ScheduledFuture<?> latest;

  StreamSession(Executor handlers, StreamLimits limits) {
    this.handlers = handlers;
    this.limits = limits;
  }

  @Override
  public final void handlerAdded(ChannelHandlerContext channel) {
    parts =
        new Parts(
            channel,
            String.valueOf(channel.channel().remoteAddress()),
            new Intake(channel, this::ping),
            new Outlets(channel, handlers, this, this::touch),
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

  final ChannelHandlerContext channel() {
    return parts().channel();
  }

  final Intake intake() {
    return parts().intake();
  }

  final Outlets outlets() {
    return parts().outlets();
  }

  final void touch() {
    parts().idle().touch();
  }

  final boolean isOpen() {
    return phase == Phase.OPEN;
  }

  /** Completes on the loop when the client can be reached no longer. Never fails. */
  final Future<Void> over() {
    return over.future();
  }

  /** The connection speaks the protocol from now on. */
  abstract void opened();

  /** Handles a frame, which is released afterwards. */
  abstract void read(Object frame) throws ProtocolViolation;

  /** Writes what finds out whether the client is there. */
  abstract void ping();

  /** Writes the protocol's last words, for an end that nobody is to blame for. */
  abstract void farewell();

  /**
   * Writes the protocol's last words to a client that has broken its rules, or whose time is up.
   */
  abstract void blame(Throwable cause);

  /** Nothing comes or goes any more: streams fail. */
  abstract void lost();

  /** Writes a frame at once, whatever waits. */
  final void answer(Object frame) {
    if (phase == Phase.OPEN && channel().channel().bytesBeforeWritable() > MOST_ANSWERS) {
      ReferenceCountUtil.release(frame);
      LOG.debug("a client asks for answers and reads none: {}", channel().channel());
      abort();
      return;
    }
    channel().write(frame, channel().newPromise());
    outlets().flushLater();
  }

  /** Ends the connection well, once all that waits has been sent. */
  final void finish() {
    outlets()
        .whenEmpty(
            () -> {
              if (phase == Phase.OPEN) {
                farewell();
                leave();
              }
            });
  }

  /** Ends the connection, saying why. */
  final void refuse(Throwable cause) {
    if (phase == Phase.OPEN) {
      LOG.debug("closing {}: {}", channel().channel(), cause.toString());
      blame(cause);
      leave();
    }
  }

  /** Codecs go on with what has come when a connection ends, without what they have let go of. */
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
   * Ends the connection at once, or once what comes with the frame that is being read was read: a
   * codec that is closed in the middle of it goes on, and what it then takes is never released.
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

  /** What the codecs say of bytes that they cannot read; whatever else they throw is wrapped. */
  private static boolean ofTheClient(Throwable cause) {
    return cause instanceof SpdyProtocolException
        || (cause instanceof DecoderException && cause.getCause() == null)
        // of a header's name
        || cause instanceof IllegalArgumentException;
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("{} has broken", context.channel(), cause);
      abort();
    } else if (ofTheClient(cause)) {
      refuse(cause);
    } else {
      fail(cause);
    }
  }
}
