package dev.vertlet.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Tells the tracker of the heads and answers of one HTTP/1.1 connection, behind the codec. An
 * upgraded connection's request never ends.
 */
final class Http1Messages extends ChannelDuplexHandler {
  static final String NAME = "trackedMessages";

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
      tracker.headEnded(connection);
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      upgraded |= response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    }
    context.write(message, promise);
    if (message instanceof LastHttpContent && !informational && !upgraded) {
      tracker.requestEnded(connection, ConnectionTracker.HTTP1);
    }
  }
}
