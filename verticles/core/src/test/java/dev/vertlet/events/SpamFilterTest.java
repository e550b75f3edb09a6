package dev.vertlet.events;

import static dev.vertlet.events.SpamFilter.BURST;
import static dev.vertlet.events.SpamFilter.REFILL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SpamFilterTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  private static final ObjectEvent EVENT = about("pod", "Warning", "node");

  private final SpamFilter filter = new SpamFilter();

  private static ObjectEvent about(String pod, String type, String node) {
    return new ObjectEvent("Pod", "default", pod, pod, "", type, "BackOff", "message", node);
  }

  /** How many of these are let through at this time. */
  private long allowed(int events, Instant now) {
    return IntStream.range(0, events).filter(i -> filter.allows(EVENT, now)).count();
  }

  @Test
  void letsABurstThroughAndOneMoreEveryFiveMinutes() {
    assertThat(BURST).isEqualTo(25);
    assertThat(REFILL).isEqualTo(Duration.ofMinutes(5));
    assertThat(allowed(100, T0)).isEqualTo(BURST);
    assertThat(allowed(100, T0.plus(REFILL).minusMillis(1))).isZero();
    assertThat(allowed(100, T0.plus(REFILL))).isOne();
    assertThat(allowed(100, T0.plus(REFILL.multipliedBy(4)))).isEqualTo(3);
  }

  @Test
  void earnsNoMoreThanABurst() {
    assertThat(allowed(BURST, T0)).isEqualTo(BURST);
    assertThat(allowed(100, T0.plus(Duration.ofDays(30)))).isEqualTo(BURST);
  }

  @Test
  void earnsNothingWhenTheClockIsSetBack() {
    assertThat(allowed(100, T0)).isEqualTo(BURST);
    assertThat(allowed(100, T0.minus(Duration.ofDays(1)))).isZero();
    assertThat(allowed(100, T0.minus(Duration.ofDays(1)).plus(REFILL))).isOne();
  }

  @Test
  void objectsTypesAndNodesAreApart() {
    allowed(100, T0);
    assertThat(
            List.of(
                about("other", "Warning", "node"),
                about("pod", "Normal", "node"),
                about("pod", "Warning", "other")))
        .allMatch(event -> filter.allows(event, T0));
    assertThat(filter.allows(EVENT, T0)).isFalse();
  }

  @Test
  void remembersABoundedNumberOfObjects() {
    allowed(100, T0);
    for (int i = 0; i < EventCorrelator.MAX_KEYS; i++) {
      filter.allows(about("pod-" + i, "Warning", "node"), T0);
    }
    assertThat(filter.allows(EVENT, T0)).isTrue();
  }
}
