package dev.vertlet.streaming;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;

/**
 * Keeps codecs from reading while {@link Intake} has paused a connection. Netty's SPDY codec hands
 * on frames past its superclass, which then takes each read for one without a frame and asks for
 * the next, automatic or not: a client could fill the heap with input that nobody reads.
 */
final class PausedReads extends ChannelOutboundHandlerAdapter {
  @Override
  public void read(ChannelHandlerContext context) {
    if (context.channel().config().isAutoRead()) {
      context.read();
    }
  }
}
