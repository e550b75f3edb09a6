package dev.vertlet.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an HTTP/1.1 connection on which a handler has failed, such as for too many requests in one
 * go. Vert.x would be told of each of them, and Netty log a warning for each.
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
