package dev.vertlet.streaming;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/**
 * Blocks reads by codecs while {@code ReadThrottle} has paused a connection. Netty's SPDY codec
 * passes frames on without its superclass, which then assumes that a read produced no frame and
 * requests the next one even without auto-read: a client could fill the heap with unread input.
 */
final class PausedReads extends ChannelOutboundHandlerAdapter {
  @Override
  public void read(ChannelHandlerContext context) {
    if (context.channel().config().isAutoRead()) {
      context.read();
    }
  }
}
