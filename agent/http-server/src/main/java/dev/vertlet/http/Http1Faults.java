package dev.vertlet.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes an HTTP/1.1 connection when a handler fails, for example after too many pipelined
 * requests. Otherwise Vert.x handles each failure, and Netty logs a warning for each.
 */
final class Http1Faults extends ChannelInboundHandlerAdapter {
  static final String NAME = "trackedFaults";

  private static final Logger LOG = LoggerFactory.getLogger(Http1Faults.class);

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      context.fireExceptionCaught(cause); // the client has left
      return;
    }
    LOG.debug("a connection of a client has failed", cause);
    context.close();
  }
}
