package dev.vertlet.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameSplitterTest {
  private static final int SEEDS = Seeds.count(100, 500);
  private static final int PIECE = FrameSplitter.PIECE;

  private final Random random = new Random(1);
  private final EmbeddedChannel server = new EmbeddedChannel(Takeover.webSocketCodec());
  private final EmbeddedChannel client = new EmbeddedChannel(new WebSocket13FrameEncoder(true));

  @AfterEach
  void close() {
    server.finishAndReleaseAll();
    client.finishAndReleaseAll();
  }

  /** Cut anywhere, as a network does. */
  private void send(WebSocketFrame frame) {
    client.writeOutbound(frame);
    for (ByteBuf bytes = client.readOutbound(); bytes != null; bytes = client.readOutbound()) {
      while (bytes.isReadable()) {
        int length = Math.min(bytes.readableBytes(), 1 + random.nextInt(5000));
        server.writeInbound(Unpooled.copiedBuffer(bytes.readSlice(length)));
      }
      bytes.release();
    }
  }

  private record Got(Class<?> kind, boolean last, int length) {}

  private final ByteArrayOutputStream all = new ByteArrayOutputStream();

  private List<Got> got() {
    List<Got> frames = new ArrayList<>();
    for (WebSocketFrame frame = server.readInbound(); frame != null; frame = server.readInbound()) {
      frames.add(
          new Got(frame.getClass(), frame.isFinalFragment(), frame.content().readableBytes()));
      all.writeBytes(ByteBufUtil.getBytes(frame.content()));
      frame.release();
    }
    return frames;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 32768, 32769, 32893, 32894, 65535, 65536, 65537, 500_000})
  void aFrameComesInPiecesOfItsBytes(int length) {
    byte[] sent = bytes(length);
    send(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(sent)));

    List<Got> frames = got();
    assertThat(all.toByteArray()).isEqualTo(sent);
    assertThat(frames).hasSize(Math.max(1, (length + PIECE - 1) / PIECE));
    assertThat(frames).allSatisfy(frame -> assertThat(frame.length).isLessThanOrEqualTo(PIECE));
    assertThat(frames.get(0).kind).isEqualTo(BinaryWebSocketFrame.class);
    assertThat(frames.subList(1, frames.size()))
        .allSatisfy(frame -> assertThat(frame.kind).isEqualTo(ContinuationWebSocketFrame.class));
    assertThat(frames.subList(0, frames.size() - 1))
        .allSatisfy(frame -> assertThat(frame.last).isFalse());
    assertThat(frames.get(frames.size() - 1).last).isTrue();
  }

  @Test
  void fragmentsOfAMessageStayTogetherAndOthersStayBetweenThem() {
    send(new TextWebSocketFrame(false, 0, Unpooled.wrappedBuffer(bytes(PIECE + 1))));
    send(new PingWebSocketFrame(Unpooled.wrappedBuffer(bytes(3))));
    send(new ContinuationWebSocketFrame(true, 0, Unpooled.wrappedBuffer(bytes(2 * PIECE))));
    send(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(bytes(5))));

    assertThat(got())
        .containsExactly(
            new Got(TextWebSocketFrame.class, false, PIECE),
            new Got(ContinuationWebSocketFrame.class, false, 1),
            new Got(PingWebSocketFrame.class, true, 3),
            new Got(ContinuationWebSocketFrame.class, false, PIECE),
            new Got(ContinuationWebSocketFrame.class, true, PIECE),
            new Got(BinaryWebSocketFrame.class, true, 5));
  }

  /** Of a frame that never ends only a piece is waited for. */
  @Test
  void whatHasComeGoesOnBeforeTheFrameIsWhole() {
    ByteBuf endless = Unpooled.buffer().writeByte(0x82).writeByte(0xff).writeLong(1L << 62);
    endless.writeInt(0).writeZero(10 * PIECE + 7);
    server.writeInbound(endless);

    assertThat(got()).hasSize(10).allSatisfy(frame -> assertThat(frame.last).isFalse());
  }

  /** What came of some bytes: messages one after the other, each begun by a line of its own. */
  private record Outcome(String messages, boolean refused) {}

  private static Outcome read(byte[] bytes, long seed, ChannelHandler... codec) {
    Random cuts = new Random(seed);
    EmbeddedChannel channel = new EmbeddedChannel(codec);
    StringBuilder messages = new StringBuilder();
    boolean refused = false;
    for (int at = 0; at < bytes.length && !refused; ) {
      int length = Math.min(bytes.length - at, 1 + cuts.nextInt(40_000));
      try {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, at, length));
      } catch (CorruptedWebSocketFrameException e) {
        refused = true; // and nothing else may be thrown
      }
      at += length;
      for (WebSocketFrame frame = channel.readInbound();
          frame != null;
          frame = channel.readInbound()) {
        if (!(frame instanceof ContinuationWebSocketFrame)) {
          messages.append('\n').append(frame.getClass().getSimpleName()).append(' ');
        }
        messages.append(frame.content().toString(StandardCharsets.ISO_8859_1));
        messages.append(frame.isFinalFragment() ? "|" : "");
        frame.release();
      }
    }
    channel.finishAndReleaseAll();
    return new Outcome(messages.toString(), refused);
  }

  private byte[] frames() {
    for (int frames = 1 + random.nextInt(6); frames > 0; frames--) {
      ByteBuf content = Unpooled.wrappedBuffer(text(random.nextInt(6) == 0 ? 80_000 : 200));
      boolean last = random.nextBoolean();
      client.writeOutbound(
          switch (random.nextInt(5)) {
            case 0 -> new PingWebSocketFrame(content.writerIndex(content.readableBytes() % 126));
            case 1 -> new TextWebSocketFrame(last, 0, content);
            case 2 -> new ContinuationWebSocketFrame(last, 0, content);
            default -> new BinaryWebSocketFrame(last, 0, content);
          });
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuf next = client.readOutbound(); next != null; next = client.readOutbound()) {
      bytes.writeBytes(ByteBufUtil.getBytes(next));
      next.release();
    }
    return bytes.toByteArray();
  }

  /** Nothing that separates messages above. */
  private byte[] text(int most) {
    byte[] text = new byte[random.nextInt(most)];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) ('a' + random.nextInt(26));
    }
    return text;
  }

  /** Whatever comes, the decoder behind it makes of it what it would without it. */
  @Test
  void changesNoMessageWhateverItsBytes() {
    for (int seed = 0; seed < SEEDS; seed++) {
      random.setSeed(seed);
      byte[] bytes = frames();
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        // most of them in the first header, where they matter
        int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 14) : bytes.length);
        bytes[at] = (byte) random.nextInt(256);
      }

      Outcome split = read(bytes, seed, Takeover.webSocketCodec());

      WebSocketDecoderConfig whole =
          WebSocketDecoderConfig.newBuilder()
              .maxFramePayloadLength(1 << 20)
              .closeOnProtocolViolation(false)
              .withUTF8Validator(false)
              .build();
      Outcome plain = read(bytes, seed, new WebSocket13FrameDecoder(whole));
      // of a frame that is not there as a whole, pieces are
      assertThat(split.messages).as("seed %d", seed).startsWith(plain.messages);
      if (!plain.refused) {
        assertThat(split.refused).as("refused, seed %d", seed).isFalse();
      }
      if (split.refused) {
        assertThat(split.messages).as("seed %d", seed).isEqualTo(plain.messages);
      }
    }
  }
}
