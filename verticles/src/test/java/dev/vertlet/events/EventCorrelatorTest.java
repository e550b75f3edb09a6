package dev.vertlet.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventCorrelatorTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private final EventCorrelator correlator = new EventCorrelator();

  @Test
  void countsEqualEvents() {
    var first = correlator.occurred(event("back-off"), T0);
    var second = correlator.occurred(event("back-off"), T0.plusSeconds(10));
    assertThat(second.name()).isEqualTo(first.name());
    assertThat(second.count()).isEqualTo(2);
    assertThat(second.first()).isEqualTo(T0);
    assertThat(second.last()).isEqualTo(T0.plusSeconds(10));
  }

  @Test
  void startsANewObjectForAnotherMessage() {
    var first = correlator.occurred(event("one"), T0);
    var second = correlator.occurred(event("two"), T0);
    assertThat(second.name()).isNotEqualTo(first.name()).startsWith("pod.");
    assertThat(second.count()).isOne();
  }

  @Test
  void namesAreInTheOrderOfEventsAlsoWithinOneTickOfTheClock() {
    List<String> names =
        Stream.of("one", "two", "three", "four")
            .map(message -> correlator.occurred(event(message), T0).name())
            .toList();
    assertThat(names).isSorted().doesNotHaveDuplicates();
    assertThat(correlator.occurred(event("later"), T0.plusMillis(1)).name())
        .isGreaterThan(names.get(3));
  }

  @Test
  void startsANewObjectAfterTenQuietMinutes() {
    correlator.occurred(event("x"), T0);
    var later = correlator.occurred(event("x"), T0.plus(Duration.ofMinutes(11)));
    assertThat(later.count()).isOne();
  }

  @Test
  void startsANewObjectWhenTheOldOneIsGone() {
    var gone = correlator.occurred(event("x"), T0);
    correlator.forget(event("x"), gone);
    var next = correlator.occurred(event("x"), T0);
    assertThat(next.count()).isOne();
    correlator.forget(event("x"), gone);
    assertThat(correlator.occurred(event("x"), T0).name()).isEqualTo(next.name());
  }

  @Test
  void remembersABoundedNumberOfSeries() {
    correlator.occurred(event("first"), T0);
    for (int i = 0; i < EventCorrelator.MAX_SERIES; i++) {
      correlator.occurred(event("event " + i), T0);
    }
    assertThat(correlator.occurred(event("first"), T0).count()).isOne();
  }

  private static ObjectEvent event(String message) {
    return new ObjectEvent(
        "Pod", "default", "pod", "uid", "", ObjectEvent.WARNING, "BackOff", message, "node");
  }
}
