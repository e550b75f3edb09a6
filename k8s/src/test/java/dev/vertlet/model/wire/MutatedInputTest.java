package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.model.DecodeException;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever bytes come: a value or a DecodeException, and soon. */
class MutatedInputTest {
  /** Against a hang; the work itself takes a second or two. */
  private static final Duration LIMIT = Waits.LONG.multipliedBy(2);

  /** Each of them is tried on every frame, and on the list. */
  private static final int SEEDS = Seeds.count(80, 400);

  private final PodDecoder decoder = new PodDecoder();

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void everyTruncationOfAFrameIsRefused(String contentType) {
    Assertions.assertTimeoutPreemptively(
        LIMIT,
        () -> {
          for (Buffer frame : Fixtures.frames(contentType)) {
            for (int length = 0; length < frame.length(); length += 3) {
              Buffer cut = frame.getBuffer(0, length);
              assertThatThrownBy(() -> decoder.decodeEvent(contentType, cut))
                  .isInstanceOf(DecodeException.class);
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void mutatedFramesGiveAValueOrADecodeException(String contentType) {
    List<Buffer> frames = Fixtures.frames(contentType);
    AtomicInteger refused = new AtomicInteger();

    Assertions.assertTimeoutPreemptively(
        LIMIT,
        () -> {
          for (Buffer frame : frames) {
            for (int seed = 0; seed < SEEDS; seed++) {
              Buffer mutant = mutant(frame.getBytes(), seed);
              decode(seed, () -> decoder.decodeEvent(contentType, mutant), refused);
            }
          }
        });

    assertThat(refused).hasPositiveValue().hasValueLessThan(frames.size() * SEEDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"list.json", "list.pb"})
  void mutatedListsGiveAValueOrADecodeException(String file) {
    String contentType = file.endsWith("json") ? JSON : PROTOBUF;
    byte[] list = Fixtures.bytes(file);
    AtomicInteger refused = new AtomicInteger();

    Assertions.assertTimeoutPreemptively(
        LIMIT,
        () -> {
          for (int seed = 0; seed < SEEDS; seed++) {
            Buffer mutant = mutant(list, seed);
            decode(seed, () -> decoder.decodeList(contentType, mutant), refused);
          }
        });

    assertThat(refused).hasPositiveValue();
  }

  @Test
  void noiseIsRefused() {
    for (int seed = 0; seed < Seeds.count(200, 1000); seed++) {
      Random random = Seeds.random(seed);
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      for (String contentType : List.of(JSON, PROTOBUF)) {
        assertThatThrownBy(() -> decoder.decodeEvent(contentType, Buffer.buffer(noise)))
            .isInstanceOf(DecodeException.class);
      }
    }
  }

  private static void decode(long seed, Runnable decoding, AtomicInteger refused) {
    try {
      decoding.run();
    } catch (DecodeException e) {
      refused.incrementAndGet();
    } catch (Throwable e) {
      fail("seed %d".formatted(seed), e);
    }
  }

  private static Buffer mutant(byte[] original, long seed) {
    return Buffer.buffer(mutate(original, Seeds.random(seed)));
  }

  /** Flips, overwrites, removes or repeats a few bytes. */
  private static byte[] mutate(byte[] original, Random random) {
    byte[] bytes = original.clone();
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> {
          int end = Math.min(bytes.length, at + 1 + random.nextInt(8));
          System.arraycopy(bytes, end, bytes, at, bytes.length - end);
          bytes = Arrays.copyOf(bytes, Math.max(1, bytes.length - (end - at)));
        }
        default -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 10), (byte) 0xff);
      }
    }
    return bytes;
  }
}
