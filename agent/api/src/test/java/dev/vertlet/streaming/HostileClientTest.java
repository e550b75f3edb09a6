package dev.vertlet.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.leaks.WatchesLeaks;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import dev.vertlet.streaming.session.SpdySession;
import dev.vertlet.streaming.session.StreamLimits;
import dev.vertlet.testsupport.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyGoAwayFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyFrame;
import io.netty.handler.codec.spdy.SpdyGoAwayFrame;
import io.netty.handler.codec.spdy.SpdySessionStatus;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions of clients that send what nobody would, by seeds: whatever it is, it is the client's
 * breach of a protocol and no fault of the server, and nothing of it stays.
 */
@WatchesLeaks
class HostileClientTest {
  private static final int SEEDS = Seeds.count(100, 500);
  private static final List<String> TYPES =
      List.of("stdin", "stdout", "stderr", "error", "resize", "data", "", "Data", "\u00e9");
  private static final List<String> PORTS =
      List.of("80", "1", "65535", "65536", "0", "", "-1", "+80", "99999999999999999999", "http");

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);

  private static <T> T pick(List<T> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }

  private static byte[] encode(EmbeddedChannel codec, Object frame) {
    codec.writeOutbound(frame);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuf bytes = codec.readOutbound(); bytes != null; bytes = codec.readOutbound()) {
      all.writeBytes(ByteBufUtil.getBytes(bytes));
      bytes.release();
    }
    return all.toByteArray();
  }

  private static SpdyFrame spdy(int id, Random random) {
    int stream = random.nextBoolean() ? id : 1 + random.nextInt(id);
    switch (random.nextInt(32)) {
      case 0:
        return new DefaultSpdyGoAwayFrame(0);
      case 1, 2, 3, 4, 5, 6:
        return new DefaultSpdyRstStreamFrame(stream, 1 + random.nextInt(11));
      case 7, 8, 9, 10, 11, 12:
        byte[] bytes = new byte[random.nextInt(60)];
        random.nextBytes(bytes);
        return new DefaultSpdyDataFrame(stream, Unpooled.wrappedBuffer(bytes))
            .setLast(random.nextInt(4) == 0);
      default:
        SpdySynStreamFrame syn = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
        syn.headers().set("streamtype", pick(TYPES, random));
        if (random.nextInt(8) > 0) {
          syn.headers().set("port", pick(PORTS, random));
        }
        if (random.nextBoolean()) {
          syn.headers().set("requestid", String.valueOf(random.nextInt(4)));
        }
        syn.setLast(random.nextInt(6) == 0);
        syn.setUnidirectional(random.nextInt(8) == 0);
        return syn;
    }
  }

  /** Frames of streams, most of them good, some of their bytes changed. */
  private static byte[] frames(Random random) {
    EmbeddedChannel codec = new EmbeddedChannel(SpdySession.codec());
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int id = 1; id < 40; id += 2) {
      all.writeBytes(encode(codec, spdy(id, random)));
    }
    codec.finishAndReleaseAll();
    return changed(all.toByteArray(), random);
  }

  private static byte[] changed(byte[] bytes, Random random) {
    for (int changes = random.nextInt(3); changes > 0; changes--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  /** The same in messages of a WebSocket, with others between them. */
  private static byte[] tunnelled(byte[] frames, Random random) {
    EmbeddedChannel codec = new EmbeddedChannel(new WebSocket13FrameEncoder(true));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    boolean open = false;
    for (int at = 0; at < frames.length; ) {
      int length = Math.min(frames.length - at, 1 + random.nextInt(80));
      ByteBuf bytes = Unpooled.copiedBuffer(frames, at, length);
      boolean last = random.nextBoolean();
      all.writeBytes(
          encode(
              codec,
              open
                  ? new ContinuationWebSocketFrame(last, 0, bytes)
                  : new BinaryWebSocketFrame(last, 0, bytes)));
      open = !last;
      at += length;
      if (random.nextInt(6) == 0) {
        all.writeBytes(encode(codec, other(random)));
      }
    }
    codec.finishAndReleaseAll();
    return changed(all.toByteArray(), random);
  }

  private static WebSocketFrame other(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> new TextWebSocketFrame("text");
      case 1 -> new CloseWebSocketFrame(1000, "enough");
      default -> new PingWebSocketFrame(Unpooled.copiedBuffer("ping", StandardCharsets.US_ASCII));
    };
  }

  /** As a container: takes all, says something, and may end with the client still there. */
  private static Future<Integer> run(ContainerIo io, Random random) {
    List<TerminalSize> sizes = new ArrayList<>();
    io.onResize(sizes::add);
    ReadStream<Buffer> in = io.stdin();
    WriteStream<Buffer> out = io.stdout();
    if (in != null) {
      in.handler(bytes -> {});
    }
    if (out != null) {
      out.write(Buffer.buffer("out"));
    }
    return random.nextBoolean() ? Future.succeededFuture(0) : io.gone().map(1);
  }

  private void survives(int seed, boolean tunnel, boolean command) {
    Random random = new Random(seed);
    SpdyCommand run =
        new SpdyCommand(
            1 + random.nextInt(5),
            new StreamsAsked(true, true, random.nextBoolean(), random.nextBoolean()),
            StreamLimits.DEFAULT,
            io -> run(io, random));
    SpdyForwarding forwarding =
        new SpdyForwarding(
            StreamLimits.DEFAULT,
            new Connector(
                (port, connection) -> {
                  assertThat(port).isBetween(1, 65535);
                  connection.incoming().handler(bytes -> {});
                  connection.outgoing().write(Buffer.buffer("answer"));
                  return random.nextBoolean()
                      ? connection.gone()
                      : Future.failedFuture(new IllegalStateException("refused"));
                }));
    SpdySession session =
        new SpdySession(Runnable::run, StreamLimits.DEFAULT, command ? run : forwarding);
    List<ChannelHandler> codec = new ArrayList<>();
    if (tunnel) {
      codec.addAll(List.of(Takeover.webSocketCodec()));
      codec.add(new WebSocketTunnel());
    }
    codec.add(SpdySession.codec());
    codec.add(session);
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.config().setAllocator(memory);
    channel.pipeline().addLast(codec.toArray(ChannelHandler[]::new));
    channel.freezeTime();
    if (command) {
      run.begin(session);
    } else {
      forwarding.begin(session);
    }

    byte[] bytes = tunnel ? tunnelled(frames(random), random) : frames(random);
    for (int at = 0; at < bytes.length && channel.isOpen(); ) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(200));
      channel.writeInbound(memory.buffer(length).writeBytes(bytes, at, length));
      channel.runPendingTasks();
      at += length;
    }
    if (random.nextBoolean()) {
      channel.advanceTimeBy(1, TimeUnit.MINUTES); // some streams never came
      channel.runScheduledPendingTasks();
    }

    channel.checkException();
    noFault(channel, tunnel, seed);
    channel.finishAndReleaseAll();
    assertThat(session.over().isComplete()).as("seed %d", seed).isTrue();
    assertThat(channel.runScheduledPendingTasks()).as("timers, seed %d", seed).isEqualTo(-1);
    long left = memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
    assertThat(left).as("bytes never released, seed %d", seed).isZero();
  }

  private static void noFault(EmbeddedChannel server, boolean tunnel, int seed) {
    EmbeddedChannel client = new EmbeddedChannel(SpdySession.codec());
    EmbeddedChannel webSocket =
        new EmbeddedChannel(new WebSocket13FrameDecoder(false, false, 1 << 20));
    for (ByteBuf bytes = server.readOutbound(); bytes != null; bytes = server.readOutbound()) {
      (tunnel ? webSocket : client).writeInbound(bytes);
    }
    for (WebSocketFrame f = webSocket.readInbound(); f != null; f = webSocket.readInbound()) {
      if (f instanceof BinaryWebSocketFrame) {
        client.writeInbound(f.content());
      } else {
        f.release();
      }
    }
    for (Object frame = client.readInbound(); frame != null; frame = client.readInbound()) {
      if (frame instanceof SpdyGoAwayFrame away) {
        assertThat(away.status())
            .as("the server's own fault, seed %d", seed)
            .isNotEqualTo(SpdySessionStatus.INTERNAL_ERROR);
      }
      ReferenceCountUtil.release(frame);
    }
    client.finishAndReleaseAll();
    webSocket.finishAndReleaseAll();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void commandsOfHostileClientsEnd(boolean tunnel) {
    for (int seed = 0; seed < SEEDS; seed++) {
      survives(seed, tunnel, true);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void portsOfHostileClientsAreLetGoOf(boolean tunnel) {
    for (int seed = 0; seed < SEEDS; seed++) {
      survives(seed, tunnel, false);
    }
  }

  @Test
  void sizesOfTerminalsAreReadOrNothingIsReadAnyMore() {
    List<String> words =
        List.of(
            "{\"Width\":80,\"Height\":24}",
            "{\"width\":1}",
            "{",
            "}",
            "[",
            "null",
            "\"Width\":",
            "65536",
            "1e3",
            "-1",
            "99999999999999999999",
            ",",
            " \n",
            "\"",
            "\u0000\u00ff");
    int told = 0;
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      List<TerminalSize> sizes = new ArrayList<>();
      Resizes resizes = new Resizes(Runnable::run);
      resizes.handler(sizes::add);
      for (int parts = random.nextInt(12); parts > 0; parts--) {
        resizes.add(Unpooled.copiedBuffer(pick(words, random), StandardCharsets.ISO_8859_1));
      }
      for (TerminalSize size : sizes) {
        assertThat(size.width()).as("seed %d", seed).isBetween(0, 65_535);
        assertThat(size.height()).as("seed %d", seed).isBetween(0, 65_535);
      }
      told += sizes.size();
    }
    assertThat(told).as("some of it could be read").isPositive();
  }
}
