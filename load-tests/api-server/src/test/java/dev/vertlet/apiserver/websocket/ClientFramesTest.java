package dev.vertlet.apiserver.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientFramesTest {
  private static final byte[] MASK = {1, 2, 3, 4};

  private final List<String> control = new ArrayList<>();
  private final ClientFrames frames =
      new ClientFrames((opcode, content) -> control.add(opcode + " " + content));

  private static Buffer masked(int opcode, String content) {
    Buffer plain = WebSocketStream.framed(opcode, Buffer.buffer(content));
    int head = plain.length() - content.length();
    Buffer frame = plain.getBuffer(0, head);
    frame.setByte(1, (byte) (frame.getByte(1) | 0x80));
    frame.appendBytes(MASK);
    for (int i = 0; i < content.length(); i++) {
      frame.appendByte((byte) (content.charAt(i) ^ MASK[i % MASK.length]));
    }
    return frame;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 65_535, 65_536, 200_000})
  void messagesOfAnyLengthAreSkipped(int length) {
    Buffer all = masked(1, "x".repeat(length)).appendBuffer(masked(9, "ping"));

    frames.take(all);

    assertThat(control).containsExactly("9 ping");
  }

  @Test
  void framesMayComeByteByByte() {
    Buffer all =
        masked(2, "x".repeat(300)).appendBuffer(masked(9, "a")).appendBuffer(masked(8, "b"));

    for (int i = 0; i < all.length(); i++) {
      frames.take(all.getBuffer(i, i + 1));
    }

    assertThat(control).containsExactly("9 a", "8 b");
  }

  @Test
  void pongsNeedNoAnswer() {
    frames.take(masked(10, "late"));

    assertThat(control).isEmpty();
  }
}
