package dev.vertlet.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.streaming.session.SpdySession;
import dev.vertlet.streaming.session.StreamLimits;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpdyCommandTest {
  private static final StreamLimits LIMITS =
      new StreamLimits(Duration.ofDays(1), Duration.ofSeconds(30));

  private final SpdyCommand command =
      new SpdyCommand(
          4, new StreamsAsked(false, true, false, false), LIMITS, io -> Future.future(never -> {}));
  private final SpdySession session = new SpdySession(Runnable::run, LIMITS, command);
  private final EmbeddedChannel channel = new EmbeddedChannel(session);

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void open(int id, String type) {
    SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
    frame.headers().set("streamtype", type);
    channel.writeInbound(frame);
    channel.runPendingTasks();
  }

  private List<Integer> refused() {
    List<Integer> ids = new ArrayList<>();
    for (Object frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
      if (frame instanceof SpdyRstStreamFrame reset) {
        ids.add(reset.streamId());
      }
    }
    return ids;
  }

  /** Nanoseconds until the next timer. */
  private long next() {
    return channel.runScheduledPendingTasks();
  }

  @Test
  void streamsThatNoCommandHasAreRefused() {
    command.begin(session);
    open(1, "error");
    open(3, "stdlog");
    open(5, "");
    open(7, "stdin"); // not asked for, yet known
    assertThat(refused()).containsExactly(3, 5);

    open(9, "stdout");
    open(11, "resize");
    open(13, "resize");
    assertThat(refused()).containsExactly(13);
  }

  @Test
  void streamsWithHeadersThatNobodyWritesAreRefused() {
    command.begin(session);
    SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(1, 0, (byte) 0);
    frame.headers().set("streamtype", "error").set("requestid", "9".repeat(257));
    channel.writeInbound(frame);
    channel.runPendingTasks();
    assertThat(refused()).containsExactly(1);
  }

  @Test
  void nothingIsWaitedForWhenAllStreamsAreThere() {
    command.begin(session);
    assertThat(next()).isLessThanOrEqualTo(TimeUnit.SECONDS.toNanos(30));
    open(1, "error");
    open(3, "stdout");
    assertThat(next()).isGreaterThan(TimeUnit.MINUTES.toNanos(1));
  }

  @Test
  void nothingIsWaitedForOfAClientThatHasGone() {
    command.begin(session);
    channel.pipeline().close();
    channel.runPendingTasks();
    assertThat(next()).isEqualTo(-1);
  }
}
