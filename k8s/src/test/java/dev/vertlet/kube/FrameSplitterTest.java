package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.testsupport.Seeds;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameSplitterTest {
  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf;stream=watch";

  private final List<String> frames = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void findsEveryFrameHoweverTheBytesAreCut(String type) {
    for (int seed = 0; seed < Seeds.count(40, 200); seed++) {
      Random random = Seeds.random(seed);
      List<String> sent = new ArrayList<>();
      Buffer wire = Buffer.buffer();
      for (int i = 0; i < 20; i++) {
        String frame = "x".repeat(1 + random.nextInt(60)) + i;
        sent.add(frame);
        wire.appendBuffer(encode(type, frame));
      }

      frames.clear();
      FrameSplitter splitter = FrameSplitter.of(type, 100, this::take);
      for (int at = 0; at < wire.length(); ) {
        int to = Math.min(wire.length(), at + 1 + random.nextInt(90));
        splitter.feed(wire.getBuffer(at, to));
        at = to;
      }
      assertThat(frames).as("seed %d", seed).isEqualTo(sent);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void refusesAFrameThatIsTooLong(String type) {
    FrameSplitter splitter = FrameSplitter.of(type, 10, this::take);
    Buffer wire = encode(type, "x".repeat(11));
    assertThatThrownBy(() -> splitter.feed(wire))
        .hasMessage("an event is longer than maxEventBytes = 10");
    assertThat(frames).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void doesNotCollectAFrameThatIsTooLong(String type) {
    FrameSplitter splitter = FrameSplitter.of(type, 10, this::take);
    Buffer beginning = encode(type, "x".repeat(50)).getBuffer(0, 20);
    assertThatThrownBy(() -> splitter.feed(beginning)).hasMessageContaining("maxEventBytes");
  }

  @Test
  void refusesANegativeLength() {
    FrameSplitter splitter = FrameSplitter.of(PROTOBUF, 10, this::take);
    assertThatThrownBy(() -> splitter.feed(Buffer.buffer(new byte[] {-1, -1, -1, -1})))
        .hasMessageContaining("maxEventBytes");
  }

  @Test
  void findsLinesThatEndWithAPieceOrBehindIt() {
    FrameSplitter splitter = FrameSplitter.of(JSON, 4, this::take);
    for (String piece : List.of("a\n", "", "bc", "", "\n", "de", "fg\nh", "\n")) {
      splitter.feed(Buffer.buffer(piece));
    }
    assertThat(frames).containsExactly("a", "bc", "defg", "h");
  }

  @Test
  void skipsEmptyLines() {
    FrameSplitter.of(JSON, 10, this::take).feed(Buffer.buffer("a\n\nb\n"));
    assertThat(frames).containsExactly("a", "b");
  }

  private void take(Buffer frame) {
    frames.add(frame.toString());
  }

  private static Buffer encode(String type, String frame) {
    return type.equals(JSON)
        ? Buffer.buffer(frame + "\n")
        : Buffer.buffer().appendInt(frame.length()).appendString(frame);
  }
}
