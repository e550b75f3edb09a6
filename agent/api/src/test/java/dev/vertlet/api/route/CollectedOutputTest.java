package dev.vertlet.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CollectedOutputTest {
  private static final Buffer MEBIBYTE = Buffer.buffer(new byte[1 << 20]);

  private final AtomicInteger room = CollectedOutput.room();
  private final CollectedOutput output = output();

  private CollectedOutput output() {
    return new CollectedOutput(room, Promise.<Void>promise().future());
  }

  @Test
  void theBeginningOfTooLongAnOutputIsKept() {
    for (int i = 0; i < 20; i++) {
      assertThat(output.write(MEBIBYTE).succeeded()).isTrue();
    }
    assertThat(output.bytes().length()).isEqualTo(16 << 20);
    assertThat(output.refused()).isFalse();
  }

  @Test
  void allOutputsTogetherTakeNoMoreThanOne() {
    CollectedOutput other = output();
    for (int i = 0; i < 15; i++) {
      output.write(MEBIBYTE);
    }
    other.write(MEBIBYTE);

    boolean taken = other.write(MEBIBYTE).succeeded();

    assertThat(taken).isFalse();
    assertThat(other.refused()).isTrue();
    assertThat(output.refused()).isFalse();

    output.release();
    other.release();

    assertThat(room).hasValue(16 << 20);
    assertThat(output.write(MEBIBYTE).failed()).isTrue();
    assertThat(room).hasValue(16 << 20);
    assertThat(output().write(MEBIBYTE).succeeded()).isTrue();
  }
}
