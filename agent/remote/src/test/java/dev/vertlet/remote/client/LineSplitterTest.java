package dev.vertlet.remote.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
  private final List<String> lines = new ArrayList<>();
  private final LineSplitter splitter = new LineSplitter(5, line -> lines.add(line.toString()));

  @Test
  void joinsTheLinesOfSeveralPieces() {
    assertThat(splitter.feed(Buffer.buffer("ab"))).isTrue();
    assertThat(splitter.feed(Buffer.buffer("c\nd\n\ne"))).isTrue();

    assertThat(lines).containsExactly("abc", "d");
  }

  @Test
  void stopsAtALineBeyondTheLimitWhetherItEndsOrNot() {
    assertThat(splitter.feed(Buffer.buffer("123456"))).isFalse();
    assertThat(new LineSplitter(5, line -> {}).feed(Buffer.buffer("123456\n"))).isFalse();
    assertThat(new LineSplitter(5, line -> {}).feed(Buffer.buffer("12345\n"))).isTrue();
  }
}
