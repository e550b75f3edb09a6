package dev.vertlet.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Thing;
import dev.vertlet.kube.ThingDecoder;
import dev.vertlet.kube.Verb;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.WatchEvent;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventStreamTest {
  private static final Buffer FRAMES = Buffer.buffer("{}\n{}\n");

  private static final String ADDED =
      "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"5\"}}}\n";

  private final List<String> told = new ArrayList<>();

  static Stream<RuntimeException> failures() {
    return Stream.of(
        new DecodeException("no event"),
        new IllegalStateException("a decoder's mistake"),
        new NullPointerException());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whateverADecoderThrowsEndsTheWatch(RuntimeException failure) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    EventStream<Thing> stream =
        new EventStream<>(
            ListWatch.of("pods", KubePath.pods(), new Throwing(failure)),
            new KubeMetrics(registry).reflector("pods"),
            new Sink());

    stream.opened(MediaType.JSON);
    stream.received(FRAMES);
    stream.received(FRAMES);
    stream.ended();

    assertThat(told).containsExactly("opened", "failed: DECODE");
    assertThat(registry.get(KubeMetrics.DECODE_ERRORS.name()).counter().count()).isEqualTo(1);
  }

  @Test
  void whatThrowsBehindADecoderEndsTheWatch() {
    EventStream<Thing> stream =
        new EventStream<>(
            ListWatch.of("pods", KubePath.pods(), new ThingDecoder()),
            new KubeMetrics(new SimpleMeterRegistry()).reflector("pods"),
            new Sink() {
              @Override
              public void event(WatchEvent<Thing> event) {
                super.event(event);
                throw new IllegalStateException("somebody's mistake");
              }
            });

    stream.opened(MediaType.JSON);
    stream.received(Buffer.buffer(ADDED + ADDED));

    assertThat(told).containsExactly("opened", "event", "failed: DECODE");
  }

  @Test
  void aMistakeIsToldByItsPlaceAlone() {
    String secret = "c2VjcmV0";
    NumberFormatException mistake = new NumberFormatException("For input string: " + secret);
    KubeException failure = Failures.decode(Verb.WATCH, KubePath.pods(), mistake);

    assertThat(failure)
        .hasMessageStartingWith("watch /api/v1/pods cannot be decoded: NumberFormatException at ")
        .hasMessageContaining("EventStreamTest.java:");
    assertThat(failure.getMessage()).doesNotContain(secret);
  }

  private static final class Throwing extends ThingDecoder {
    private final RuntimeException failure;

    Throwing(RuntimeException failure) {
      this.failure = failure;
    }

    @Override
    public WatchEvent<Thing> decodeEvent(String contentType, Buffer frame) {
      throw failure;
    }
  }

  private class Sink implements EventStream.Sink<Thing> {
    @Override
    public void opened() {
      told.add("opened");
    }

    @Override
    public void event(WatchEvent<Thing> event) {
      told.add("event");
    }

    @Override
    public void ended() {
      told.add("ended");
    }

    @Override
    public void failed(KubeException failure) {
      told.add("failed: " + failure.kind());
    }
  }
}
