package dev.vertlet.streaming.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.leaks.WatchesLeaks;
import dev.vertlet.server.LoggedLines;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyGoAwayFrame;
import io.netty.handler.codec.spdy.DefaultSpdyHeadersFrame;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySettingsFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdyWindowUpdateFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyGoAwayFrame;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySettingsFrame;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.netty.handler.codec.spdy.SpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.handler.codec.spdy.SpdyWindowUpdateFrame;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes in, bytes out, in virtual time. */
@WatchesLeaks
class SpdySessionTest {
  /** What a slow machine takes must not count. */
  @BeforeEach
  void freeze() {
    server.freezeTime();
  }

  @AfterEach
  void close() {
    server.finishAndReleaseAll();
    client.finishAndReleaseAll();
  }

  /** Takes every stream but those that are to be refused. */
  private static final class Taker implements SpdyPeer {
    final Map<Integer, SpdyStream> streams = new HashMap<>();

    @Override
    public @Nullable String refusal(SpdyStream stream) {
      return stream.type.equals("refused") ? "asked for" : null;
    }

    @Override
    public void opened(SpdyStream stream) {
      streams.put(stream.id, stream);
    }
  }

  private final Taker taker = new Taker();
  private final SpdySession session =
      new SpdySession(
          Runnable::run, new StreamLimits(Duration.ofHours(1), Duration.ofSeconds(30)), taker);
  private final EmbeddedChannel server = new EmbeddedChannel(SpdySession.codec(), session);
  private final EmbeddedChannel client = new EmbeddedChannel(SpdySession.codec());

  /** Netty's codec goes on with what it has when the connection ends, without its inflater. */
  @Test
  void faultsOfTheCodecAreToldOnceWithTheClientAndNotAfterTheEnd() {
    try (LoggedLines log = LoggedLines.all()) {
      for (int i = 0; i < 35; i++) {
        server
            .pipeline()
            .fireExceptionCaught(
                new DecoderException(new NullPointerException("Inflater has been closed")));
      }
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("a stream session failed", "client", "embedded");
    }
    SpdySession another = new SpdySession(Runnable::run, StreamLimits.DEFAULT, taker);
    EmbeddedChannel closed = new EmbeddedChannel(SpdySession.codec(), another);
    closed.close();
    try (LoggedLines log = LoggedLines.all()) {
      closed
          .pipeline()
          .fireExceptionCaught(
              new DecoderException(new NullPointerException("Inflater has been closed")));
      assertThat(log.warnings()).isEmpty();
    }
  }

  private static byte[] encode(EmbeddedChannel codec, SpdyFrame frame) {
    codec.writeOutbound(frame);
    ByteBuf bytes = codec.readOutbound();
    byte[] copy = ByteBufUtil.getBytes(bytes);
    bytes.release();
    return copy;
  }

  private void send(SpdyFrame frame) {
    server.writeInbound(Unpooled.wrappedBuffer(encode(client, frame)));
    server.runPendingTasks();
  }

  private void pass(long time, TimeUnit unit) {
    server.advanceTimeBy(time, unit);
    server.runScheduledPendingTasks();
  }

  private void open(int id, String... headers) {
    SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
    frame.headers().set("x", "y"); // a block without any cannot be read
    for (int i = 0; i < headers.length; i += 2) {
      frame.headers().set(headers[i], headers[i + 1]);
    }
    send(frame);
  }

  private void data(int id, int length, boolean last) {
    DefaultSpdyDataFrame frame =
        new DefaultSpdyDataFrame(id, Unpooled.wrappedBuffer(new byte[length]));
    frame.setLast(last);
    send(frame);
  }

  /** What the server has sent since the last look. */
  private List<Object> answers() {
    server.runPendingTasks();
    for (ByteBuf bytes = server.readOutbound(); bytes != null; bytes = server.readOutbound()) {
      client.writeInbound(bytes);
    }
    List<Object> frames = new ArrayList<>();
    for (Object frame = client.readInbound(); frame != null; frame = client.readInbound()) {
      frames.add(frame);
    }
    return frames;
  }

  private List<String> said() {
    return answers().stream().map(SpdySessionTest::text).toList();
  }

  private static String text(Object frame) {
    try {
      if (frame instanceof SpdyDataFrame) {
        SpdyDataFrame data = (SpdyDataFrame) frame;
        return "data "
            + data.streamId()
            + " "
            + data.content().readableBytes()
            + (data.isLast() ? " last" : "");
      } else if (frame instanceof SpdySynReplyFrame) {
        return "reply " + ((SpdySynReplyFrame) frame).streamId();
      } else if (frame instanceof SpdyRstStreamFrame) {
        SpdyRstStreamFrame reset = (SpdyRstStreamFrame) frame;
        return "reset " + reset.streamId() + " " + reset.status();
      } else if (frame instanceof SpdyGoAwayFrame) {
        SpdyGoAwayFrame away = (SpdyGoAwayFrame) frame;
        return "goaway " + away.lastGoodStreamId() + " " + away.status();
      } else if (frame instanceof SpdyPingFrame) {
        return "ping " + ((SpdyPingFrame) frame).id();
      } else if (frame instanceof SpdyWindowUpdateFrame) {
        SpdyWindowUpdateFrame window = (SpdyWindowUpdateFrame) frame;
        return "window " + window.streamId() + " " + window.deltaWindowSize();
      }
      return frame.getClass().getSimpleName();
    } finally {
      ReferenceCountUtil.release(frame);
    }
  }

  private SpdyStream taken(int id) {
    SpdyStream stream = taker.streams.get(id);
    if (stream == null) {
      throw new AssertionError("no stream " + id);
    }
    return stream;
  }

  @Test
  void repliesToStreamsOrResetsThem() {
    open(1, "streamtype", "data");
    open(3, "streamtype", "refused");
    open(2);
    open(1);
    assertThat(taken(1).type).isEqualTo("data");
    assertThat(taken(1).port).isEmpty();
    assertThat(said())
        .containsExactly(
            "reply 1",
            "reset 3 " + SpdyStreamStatus.CANCEL,
            "reset 2 " + SpdyStreamStatus.PROTOCOL_ERROR,
            "reset 1 " + SpdyStreamStatus.STREAM_IN_USE);
  }

  @Test
  void repliesWithHeadersThatEveryClientCanRead() {
    open(1);
    Object reply = answers().get(0);
    assertThat(((SpdySynReplyFrame) reply).isInvalid()).isFalse();
    assertThat(((SpdySynReplyFrame) reply).headers().get(":status")).isEqualTo("200");
  }

  @Test
  void refusesMoreStreamsThanItKeeps() {
    for (int i = 0; i <= SpdySession.MOST_STREAMS; i++) {
      open(2 * i + 1);
    }
    int last = 2 * SpdySession.MOST_STREAMS + 1;
    assertThat(said()).endsWith("reset " + last + " " + SpdyStreamStatus.REFUSED_STREAM);
  }

  @Test
  void answersPingsOfTheClientOnly() {
    send(new DefaultSpdyPingFrame(5));
    send(new DefaultSpdyPingFrame(2));
    assertThat(said()).containsExactly("ping 5");
  }

  @Test
  void tellsOfRoomWhenBytesAreRead() {
    open(1);
    StringBuilder read = new StringBuilder();
    data(1, 20_000, false);
    assertThat(said()).containsExactly("reply 1");
    taken(1).in.handler(bytes -> read.append(bytes.length()));
    data(1, 20_000, false);
    assertThat(read.toString()).isEqualTo("2000020000");
    assertThat(said()).containsExactly("window 0 40000", "window 1 40000");
  }

  @Test
  void stopsReadingWhatNobodyTakesAndPingsMeanwhile() {
    open(1);
    said();
    for (int i = 0; i < 20 && server.config().isAutoRead(); i++) {
      data(1, 16_384, false);
    }
    assertThat(server.config().isAutoRead()).isFalse();
    pass(10, TimeUnit.SECONDS);
    assertThat(said()).containsExactly("ping 2");
    int[] read = {0};
    taken(1).in.handler(bytes -> read[0] += bytes.length());
    assertThat(server.config().isAutoRead()).isTrue();
    assertThat(read[0]).isGreaterThan(ReadThrottle.MOST).isLessThan(2 * ReadThrottle.MOST);
  }

  @Test
  void sendsAllAtOnceToClientsThatNeverSpeakOfWindows() {
    open(1);
    taken(1).out.write(Buffer.buffer(new byte[200_000]));
    assertThat(said())
        .containsExactly("reply 1", "data 1 65536", "data 1 65536", "data 1 65536", "data 1 3392");
  }

  @Test
  void heedsWindowsOfClientsThatHaveSome() {
    SpdySettingsFrame settings = new DefaultSpdySettingsFrame();
    settings.setValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE, 100);
    send(settings);
    open(1);
    taken(1).out.write(Buffer.buffer(new byte[300]));
    taken(1).out.end();
    assertThat(said()).containsExactly("reply 1", "data 1 100");
    send(new DefaultSpdyWindowUpdateFrame(1, 150));
    assertThat(said()).containsExactly("data 1 150");
    SpdySettingsFrame more = new DefaultSpdySettingsFrame();
    more.setValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE, 200);
    send(more);
    assertThat(said()).containsExactly("data 1 50", "data 1 0 last");
  }

  @Test
  void heedsTheWindowOfAllStreams() {
    SpdySettingsFrame settings = new DefaultSpdySettingsFrame();
    settings.setValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE, 1_000_000);
    send(settings);
    open(1);
    taken(1).out.write(Buffer.buffer(new byte[100_000]));
    assertThat(said()).containsExactly("reply 1", "data 1 65536");
    send(new DefaultSpdyWindowUpdateFrame(0, 100_000));
    assertThat(said()).containsExactly("data 1 34464");
  }

  @Test
  void refusesWindowsThatOverflow() {
    open(1);
    send(new DefaultSpdyWindowUpdateFrame(1, Integer.MAX_VALUE));
    assertThat(said()).containsExactly("reply 1", "reset 1 " + SpdyStreamStatus.FLOW_CONTROL_ERROR);
    send(new DefaultSpdyWindowUpdateFrame(0, Integer.MAX_VALUE));
    assertThat(said()).singleElement().asString().isEqualTo("goaway 1 PROTOCOL_ERROR");
    assertThat(session.over().isComplete()).isTrue();
  }

  @Test
  void halfClosesInBothDirections() {
    open(1);
    StringBuilder heard = new StringBuilder();
    taken(1).in.handler(bytes -> heard.append(bytes.length()));
    taken(1).in.endHandler(end -> heard.append("end"));
    data(1, 3, true);
    taken(1).out.write(Buffer.buffer("abc"));
    taken(1).out.end();
    assertThat(heard.toString()).isEqualTo("3end");
    assertThat(said()).containsExactly("reply 1", "data 1 3", "data 1 0 last");
    data(1, 3, false); // the stream is gone, and what was on its way is thrown away
    assertThat(said()).isEmpty();
  }

  @Test
  void resetsWhatGoesOnAfterItsEnd() {
    open(1);
    data(1, 0, true);
    data(1, 1, false);
    data(9, 1, false);
    assertThat(said())
        .containsExactly(
            "reply 1",
            "reset 1 " + SpdyStreamStatus.STREAM_ALREADY_CLOSED,
            "reset 9 " + SpdyStreamStatus.INVALID_STREAM);
  }

  @Test
  void tellsWhoeverUsesAStreamThatItWasReset() {
    open(1);
    List<String> heard = new ArrayList<>();
    SpdyStream stream = taken(1);
    stream.gone().onComplete(gone -> heard.add("gone"));
    stream.in.exceptionHandler(failure -> heard.add("in"));
    stream.out.exceptionHandler(failure -> heard.add("out"));
    send(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
    assertThat(heard).containsExactlyInAnyOrder("gone", "in", "out");
    assertThat(stream.out.write(Buffer.buffer("x")).failed()).isTrue();
  }

  @Test
  void endsAStreamByHeadersToo() {
    open(1);
    boolean[] ended = {false};
    taken(1).in.handler(bytes -> {}).endHandler(end -> ended[0] = true);
    DefaultSpdyHeadersFrame frame = new DefaultSpdyHeadersFrame(1);
    frame.setLast(true);
    send(frame);
    assertThat(ended[0]).isTrue();
    send(new DefaultSpdySynReplyFrame(8));
    assertThat(said()).containsExactly("reply 1", "reset 8 " + SpdyStreamStatus.INVALID_STREAM);
  }

  @Test
  void endsWhenTheClientLeavesAndNothingIsOpen() {
    open(1);
    send(new DefaultSpdyGoAwayFrame(0));
    open(3);
    assertThat(taker.streams).doesNotContainKey(3);
    assertThat(session.isOpen()).isTrue();
    data(1, 0, true);
    taken(1).out.end();
    assertThat(said()).containsExactly("reply 1", "data 1 0 last", "goaway 1 " + ok());
    assertThat(session.isOpen()).isFalse();
  }

  private static String ok() {
    return io.netty.handler.codec.spdy.SpdySessionStatus.OK.toString();
  }

  @Test
  void saysFarewellAfterAllThatWaits() {
    open(1);
    taken(1).out.write(Buffer.buffer("abc"));
    session.finish();
    assertThat(said()).containsExactly("reply 1", "data 1 3", "goaway 1 " + ok());
    assertThat(server.isOpen()).isTrue();
    pass(StreamSession.LINGER_MILLIS, TimeUnit.MILLISECONDS);
    assertThat(server.isOpen()).isFalse();
  }

  @Test
  void waitsForSlowClientsThatShowThatTheyAreThere() {
    open(1);
    session.finish();
    for (int i = 1; i < 60; i += 2) {
      pass(StreamSession.LINGER_MILLIS - 1, TimeUnit.MILLISECONDS);
      assertThat(server.isOpen()).isTrue();
      send(new DefaultSpdyPingFrame(i));
    }
    pass(StreamSession.LINGER_MILLIS, TimeUnit.MILLISECONDS);
    assertThat(server.isOpen()).isFalse();
  }

  @Test
  void waitsForSlowClientsNoLongerThanForIdleOnes() {
    open(1);
    session.finish();
    long linger = StreamSession.LINGER_MILLIS / 2;
    for (long left = TimeUnit.HOURS.toMillis(1); left > linger; left -= linger) {
      pass(linger, TimeUnit.MILLISECONDS);
      send(new DefaultSpdyPingFrame(1));
    }
    assertThat(server.isOpen()).isTrue();
    pass(linger, TimeUnit.MILLISECONDS);
    assertThat(server.isOpen()).isFalse();
  }

  @Test
  void endsAfterSilence() {
    open(1);
    said();
    pass(30, TimeUnit.MINUTES);
    send(new DefaultSpdyPingFrame(1));
    pass(59, TimeUnit.MINUTES);
    assertThat(said()).containsExactly("ping 1");
    pass(15, TimeUnit.MINUTES);
    assertThat(said()).containsExactly("goaway 1 " + ok());
    assertThat(taken(1).gone().isComplete()).isTrue();
  }

  @Test
  void endsWithFramesThatCannotBeRead() {
    open(1);
    said();
    server.writeInbound(Unpooled.wrappedBuffer(new byte[] {(byte) 0x80, 2, 0, 1, 0, 0, 0, 0}));
    assertThat(said()).singleElement().asString().isEqualTo("goaway 1 PROTOCOL_ERROR");
    assertThat(session.over().isComplete()).isTrue();
  }

  /** Thousands of sessions, each of good frames of which some bytes were changed. */
  @Test
  void survivesAnyBytes() {
    UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      Taker peer = new Taker();
      SpdySession victim = new SpdySession(Runnable::run, StreamLimits.DEFAULT, peer);
      EmbeddedChannel channel = new EmbeddedChannel(SpdySession.codec(), victim);
      channel.config().setAllocator(memory);
      byte[] bytes = mutated(random);
      for (int at = 0; at < bytes.length; ) {
        int length = Math.min(bytes.length - at, 1 + random.nextInt(64));
        channel.writeInbound(memory.buffer(length).writeBytes(bytes, at, length));
        at += length;
        peer.streams.values().forEach(stream -> stream.in.handler(read -> {}));
        if (random.nextInt(8) == 0) {
          peer.streams.values().forEach(stream -> stream.out.write(Buffer.buffer("answer")));
        }
      }
      assertThat(channel.outboundMessages().stream().filter(SpdySessionTest::internalError))
          .as("the server's own faults, seed %d", seed)
          .isEmpty();
      channel.finishAndReleaseAll();
      assertThat(victim.over().isComplete()).as("seed %d", seed).isTrue();
      long left = memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
      assertThat(left).as("bytes never released, seed %d", seed).isZero();
      peer.streams.values().forEach(stream -> assertThat(stream.out.isEnded()).isTrue());
    }
  }

  /** A GOAWAY, which is 16 bytes long, of status 2. */
  private static boolean internalError(Object message) {
    ByteBuf bytes = (ByteBuf) message;
    return bytes.readableBytes() == 16
        && bytes.getInt(bytes.readerIndex()) == 0x80030007
        && bytes.getInt(bytes.readerIndex() + 12) == 2;
  }

  /** The fuzz above is blind without it. */
  @Test
  void aFaultOfTheServerIsToldFromOneOfTheClient() {
    SpdyPeer broken =
        new SpdyPeer() {
          @Override
          public @Nullable String refusal(SpdyStream stream) {
            throw new IllegalStateException("broken");
          }

          @Override
          public void opened(SpdyStream stream) {}
        };
    SpdySession victim = new SpdySession(Runnable::run, StreamLimits.DEFAULT, broken);
    EmbeddedChannel channel = new EmbeddedChannel(SpdySession.codec(), victim);
    SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(1, 0, (byte) 0);
    frame.headers().set("streamtype", "data");

    channel.writeInbound(Unpooled.wrappedBuffer(encode(client, frame)));

    channel.runPendingTasks();
    assertThat(channel.outboundMessages()).hasSize(1).allMatch(SpdySessionTest::internalError);
    channel.finishAndReleaseAll();
  }

  private static byte[] mutated(Random random) {
    EmbeddedChannel codec = new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 12; i++) {
      all.writeBytes(encode(codec, anyFrame(random)));
    }
    codec.finishAndReleaseAll();
    byte[] bytes = all.toByteArray();
    for (int changes = random.nextInt(6); changes > 0; changes--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static SpdyFrame anyFrame(Random random) {
    int id = 1 + random.nextInt(9);
    switch (random.nextInt(8)) {
      case 0:
      case 1:
        SpdySynStreamFrame syn = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
        syn.headers().set("streamtype", "data");
        syn.setLast(random.nextInt(4) == 0);
        syn.setUnidirectional(random.nextInt(8) == 0);
        return syn;
      case 2:
      case 3:
        DefaultSpdyDataFrame data =
            new DefaultSpdyDataFrame(id, Unpooled.wrappedBuffer(new byte[random.nextInt(99)]));
        data.setLast(random.nextInt(6) == 0);
        return data;
      case 4:
        return new DefaultSpdyWindowUpdateFrame(random.nextInt(9), 1 + random.nextInt(99_999));
      case 5:
        return new DefaultSpdyRstStreamFrame(id, 1 + random.nextInt(11));
      case 6:
        SpdySettingsFrame settings = new DefaultSpdySettingsFrame();
        settings.setValue(random.nextInt(9), random.nextInt());
        return settings;
      default:
        return new DefaultSpdyPingFrame(random.nextInt());
    }
  }
}
