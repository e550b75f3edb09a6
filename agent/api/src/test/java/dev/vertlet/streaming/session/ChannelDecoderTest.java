package dev.vertlet.streaming.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.leaks.WatchesLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

@WatchesLeaks
class ChannelDecoderTest {
  private final List<String> said = new ArrayList<>();

  private ChannelDecoder decoder(Framing framing, boolean closes) {
    return new ChannelDecoder(
        framing,
        closes,
        new ChannelDecoder.Output() {
          @Override
          public void data(int channel, ByteBuf bytes) {
            if (bytes.isReadable()) {
              said.add(channel + ":" + bytes.toString(StandardCharsets.ISO_8859_1));
            }
          }

          @Override
          public void close(int channel) {
            said.add("close " + channel);
          }
        });
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
  }

  @Test
  void readsMessagesInFragments() throws Exception {
    ChannelDecoder decoder = decoder(Framing.BINARY, true);
    decoder.decode(bytes(""), false);
    decoder.decode(bytes("\u0000ab"), false);
    decoder.decode(bytes("cd"), true);
    decoder.decode(bytes("\u0004x"), true);
    decoder.decode(bytes(""), true);
    assertThat(said).containsExactly("0:ab", "0:cd", "4:x");
  }

  @Test
  void readsBase64InFragments() throws Exception {
    ChannelDecoder decoder = decoder(Framing.BASE64, false);
    decoder.decode(bytes("0aG"), false);
    decoder.decode(bytes("Vs\r\nbG8"), false);
    decoder.decode(bytes("="), true);
    decoder.decode(bytes("4"), true);
    assertThat(String.join("", said).replace("0:", "")).isEqualTo("hello");
  }

  @Test
  void refusesWhatIsNotBase64() {
    for (String text : List.of("0a", "0%%%%", "0aGk=aGk=", "0====")) {
      assertThatThrownBy(() -> decoder(Framing.BASE64, false).decode(bytes(text), true))
          .isInstanceOfSatisfying(
              ProtocolViolation.class, e -> assertThat(e.status().code()).isEqualTo(1007));
    }
  }

  @Test
  void closesChannelsAsOfVersion5Only() throws Exception {
    decoder(Framing.BINARY, true).decode(bytes("\u00ff\u0000"), true);
    decoder(Framing.BINARY, false).decode(bytes("\u00ff\u0000"), true);
    ChannelDecoder inParts = decoder(Framing.BINARY, true);
    inParts.decode(bytes("\u00ff"), false);
    inParts.decode(bytes("\u0002"), true);
    assertThat(said).containsExactly("close 0", "255:\u0000", "close 2");
  }

  @Test
  void refusesMalformedSignals() {
    for (String text : List.of("\u00ff", "\u00ff\u0000\u0000")) {
      assertThatThrownBy(() -> decoder(Framing.BINARY, true).decode(bytes(text), true))
          .isInstanceOfSatisfying(
              ProtocolViolation.class, e -> assertThat(e.status().code()).isEqualTo(1002));
    }
  }

  @Test
  void anyBytesAreReadOrRefused() {
    Random random = new Random(11);
    UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
    for (int i = 0; i < 20_000; i++) {
      ChannelDecoder decoder =
          decoder(random.nextBoolean() ? Framing.BINARY : Framing.BASE64, random.nextBoolean());
      try {
        for (int frames = random.nextInt(6); frames > 0; frames--) {
          byte[] frame = new byte[random.nextInt(random.nextInt(8) == 0 ? 3_000 : 12)];
          random.nextBytes(frame);
          if (random.nextInt(3) == 0) {
            frame = Base64.getEncoder().encode(frame);
          }
          ByteBuf payload = memory.buffer().writeBytes(frame);
          try {
            decoder.decode(payload, random.nextInt(3) > 0);
          } finally {
            assertThat(payload.release()).as("released by nobody else, kept by nobody").isTrue();
          }
        }
      } catch (ProtocolViolation e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
    assertThat(memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory()).isZero();
  }
}
