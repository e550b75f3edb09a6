package dev.vertlet.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.leaks.WatchesLeaks;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@WatchesLeaks
class WebSocketTunnelTest {
  /** Nothing that is written is ever sent. */
  private static final class Stuck extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object frame, ChannelPromise promise) {
      ReferenceCountUtil.release(frame);
    }
  }

  @Test
  void aClientThatDoesNotReadTheFarewellIsClosedSoon() {
    EmbeddedChannel channel = new EmbeddedChannel(new Stuck(), new WebSocketTunnel());
    channel.freezeTime();
    channel.pipeline().close();
    channel.advanceTimeBy(WebSocketTunnel.FAREWELL_MILLIS - 1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isTrue();

    channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void nothingWaitsForAClientThatHasTakenTheFarewell() {
    EmbeddedChannel channel = new EmbeddedChannel(new WebSocketTunnel());
    channel.pipeline().close();
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
    channel.finishAndReleaseAll();
  }
}
