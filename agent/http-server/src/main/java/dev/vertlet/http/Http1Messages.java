package dev.vertlet.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Reports the headers and responses of one HTTP/1.1 connection to the tracker; it follows the codec
 * in the pipeline. An upgraded connection's request never ends.
 */
final class Http1Messages extends ChannelDuplexHandler {
  static final String NAME = "trackedMessages";

  private static final long LINGER_MILLIS = 500;

  private final ConnectionTracker tracker;
  private final TrackedConnection connection;
  private boolean upgraded;
  private boolean informational;

  Http1Messages(ConnectionTracker tracker, TrackedConnection connection) {
    this.tracker = tracker;
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest) {
      connection.readingBody = true;
      tracker.headEnded(connection);
    }
    if (message instanceof LastHttpContent) {
      tracker.bodyEnded(connection);
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      upgraded |= response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    }
    boolean ended = message instanceof LastHttpContent && !informational && !upgraded;
    if (ended && !tracker.requestEnded(connection, ConnectionTracker.HTTP1)) {
      closeAfter(context, promise);
    }
    context.write(message, promise);
  }

  /**
   * Closes the connection 500 ms after the response is written: a client that still sends would see
   * a reset before it reads the response (RFC 9112, 9.6). Go's servers wait as long.
   */
  private void closeAfter(ChannelHandlerContext context, ChannelPromise answer) {
    answer
        .unvoid()
        .addListener(
            written ->
                context
                    .executor()
                    .schedule(() -> closeUnlessSettled(context), LINGER_MILLIS, MILLISECONDS));
  }

  private void closeUnlessSettled(ChannelHandlerContext context) {
    if (!tracker.isSettled(connection)) {
      context.close();
    }
  }
}
