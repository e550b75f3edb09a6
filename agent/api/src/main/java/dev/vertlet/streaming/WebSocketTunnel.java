package dev.vertlet.streaming;

import dev.vertlet.streaming.session.CloseReasons;
import dev.vertlet.streaming.session.ProtocolViolation;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Tunnels bytes in binary messages; message boundaries have no meaning. */
final class WebSocketTunnel extends ChannelDuplexHandler {
  private static final int MOST_ANSWERS = 1024 * 1024;

  /** Time for the client to receive the closing frame; a client that does not read never does. */
  static final long FAREWELL_MILLIS = 5_000;

  private boolean closing;

  @Override
  public void channelRead(ChannelHandlerContext context, Object frame) {
    if (closing) {
      ReferenceCountUtil.release(frame);
    } else if (frame instanceof BinaryWebSocketFrame
        || frame instanceof ContinuationWebSocketFrame) {
      context.fireChannelRead(((WebSocketFrame) frame).content());
    } else {
      try {
        onOther(context, frame);
      } finally {
        ReferenceCountUtil.release(frame);
      }
    }
  }

  private void onOther(ChannelHandlerContext context, Object frame) {
    if (frame instanceof PingWebSocketFrame) {
      if (context.channel().bytesBeforeWritable() > MOST_ANSWERS) {
        closing = true; // frames after it are not read
        context.close();
        return;
      }
      context.writeAndFlush(new PongWebSocketFrame(((WebSocketFrame) frame).content().retain()));
    } else if (frame instanceof CloseWebSocketFrame) {
      ByteBuf reason = ((WebSocketFrame) frame).content().retain();
      close(context, new CloseWebSocketFrame(true, 0, reason), context.newPromise());
    } else if (frame instanceof TextWebSocketFrame) {
      breach(
          context,
          new ProtocolViolation(
              WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "messages must be binary"));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof CorruptedWebSocketFrameException) {
      breach(context, cause);
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  private void breach(ChannelHandlerContext context, Throwable cause) {
    close(context, CloseReasons.frame(cause), context.newPromise());
  }

  @Override
  public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
    if (bytes instanceof ByteBuf) {
      context.write(new BinaryWebSocketFrame((ByteBuf) bytes), promise);
    } else {
      context.write(bytes, promise);
    }
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    close(context, new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE), promise);
  }

  private void close(
      ChannelHandlerContext context, CloseWebSocketFrame frame, ChannelPromise promise) {
    if (closing) {
      frame.release();
      context.close(promise);
      return;
    }
    closing = true;
    ScheduledFuture<?> latest =
        context
            .executor()
            .schedule(
                () -> {
                  context.close();
                },
                FAREWELL_MILLIS,
                TimeUnit.MILLISECONDS);
    context
        .writeAndFlush(frame)
        .addListener(
            sent -> {
              latest.cancel(false);
              context.close(promise);
            });
  }
}
