package dev.vertlet.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.events.EventCorrelator.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventCorrelatorTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
  private static final String COMBINED = "(combined from similar events): ";

  private final EventCorrelator correlator = new EventCorrelator();

  @Test
  void countsEqualEvents() {
    Series first = occurred(event("back-off"), T0);
    Series second = occurred(event("back-off"), T0.plusSeconds(10));
    assertThat(second.name()).isEqualTo(first.name());
    assertThat(second.count()).isEqualTo(2);
    assertThat(second.first()).isEqualTo(T0);
    assertThat(second.last()).isEqualTo(T0.plusSeconds(10));
    assertThat(first.isNew()).isTrue();
    assertThat(second.isNew()).isFalse();
  }

  @Test
  void startsANewObjectForAnotherMessage() {
    Series first = occurred(event("one"), T0);
    Series second = occurred(event("two"), T0);
    assertThat(second.name()).isNotEqualTo(first.name()).startsWith("pod.");
    assertThat(second.count()).isOne();
  }

  @Test
  void namesAreInTheOrderOfEventsAlsoWithinOneTickOfTheClock() {
    List<String> names =
        Stream.of("one", "two", "three", "four")
            .map(message -> occurred(event(message), T0).name())
            .toList();
    assertThat(names).isSorted().doesNotHaveDuplicates();
    assertThat(occurred(event("later"), T0.plusMillis(1)).name()).isGreaterThan(names.get(3));
  }

  @Test
  void countsOnAfterAQuietTime() {
    Series first = occurred(event("x"), T0);
    Series later = occurred(event("x"), T0.plus(Duration.ofDays(1)));
    assertThat(later.name()).isEqualTo(first.name());
    assertThat(later.count()).isEqualTo(2);
    assertThat(later.isNew()).isFalse();
  }

  @Test
  void startsANewObjectWhenTheOldOneIsGone() {
    occurred(event("x"), T0);
    Series gone = occurred(event("x"), T0);
    Series next = correlator.again(event("x"), gone, T0);
    assertThat(next.name()).isNotEqualTo(gone.name());
    assertThat(next.count()).isOne();
    assertThat(next.isNew()).isTrue();

    Series more = correlator.again(event("x"), gone, T0);
    assertThat(more.name()).isEqualTo(next.name());
    assertThat(more.count()).isEqualTo(2);
    assertThat(more.isNew()).isFalse();
  }

  @Test
  void remembersABoundedNumberOfSeries() {
    occurred(event("first"), T0);
    others(EventCorrelator.MAX_KEYS);
    assertThat(occurred(event("first"), T0).count()).isOne();
  }

  @Test
  void combinesSimilarEventsFromTheTenthMessageOn() {
    List<Series> own = messages(0, 9, T0);
    assertThat(own).extracting(Series::combined).containsOnly(false);
    assertThat(own).extracting(Series::name).doesNotHaveDuplicates();

    Series tenth = occurred(event("message 9"), T0);
    assertThat(tenth.combined()).isTrue();
    assertThat(tenth.isNew()).isTrue();
    assertThat(tenth.message()).isEqualTo(COMBINED + "message 9");
    assertThat(own).extracting(Series::name).doesNotContain(tenth.name());

    Series next = occurred(event("message 10"), T0.plusSeconds(1));
    assertThat(next.name()).isEqualTo(tenth.name());
    assertThat(next.count()).isEqualTo(2);
    assertThat(next.isNew()).isFalse();
    assertThat(next.message()).isEqualTo(COMBINED + "message 10");
    assertThat(next.first()).isEqualTo(T0);
    assertThat(next.last()).isEqualTo(T0.plusSeconds(1));

    Series known = occurred(event("message 3"), T0);
    assertThat(known.name()).isEqualTo(own.get(3).name());
    assertThat(known.message()).isEqualTo("message 3");
    assertThat(known.count()).isEqualTo(2);
  }

  @Test
  void eventsOfOneMessageAreNotCombined() {
    for (int i = 0; i < SpamFilter.BURST; i++) {
      assertThat(occurred(event("again"), T0).combined()).isFalse();
    }
  }

  @Test
  void onlyEventsThatDifferInTheirMessageAloneAreSimilar() {
    messages(0, 9, T0);
    assertThat(
            Stream.of(
                    event("Node", "default", "pod", "uid", "Warning", "BackOff", "node"),
                    event("Pod", "other", "pod", "uid", "Warning", "BackOff", "node"),
                    event("Pod", "default", "other", "uid", "Warning", "BackOff", "node"),
                    event("Pod", "default", "pod", "other", "Warning", "BackOff", "node"),
                    event("Pod", "default", "pod", "uid", "Normal", "BackOff", "node"),
                    event("Pod", "default", "pod", "uid", "Warning", "Failed", "node"),
                    event("Pod", "default", "pod", "uid", "Warning", "BackOff", "other"))
                .map(event -> occurred(event, T0)))
        .extracting(Series::combined)
        .containsOnly(false);
    ObjectEvent ofAnotherContainer =
        new ObjectEvent(
            "Pod",
            "default",
            "pod",
            "uid",
            "spec.containers{b}",
            "Warning",
            "BackOff",
            "m",
            "node");
    assertThat(occurred(ofAnotherContainer, T0).combined()).isTrue();
  }

  @Test
  void tenQuietMinutesEndWhatIsSimilar() {
    messages(0, 9, T0);
    Series combined = occurred(event("message 9"), T0.plusSeconds(600));
    assertThat(combined.combined()).isTrue();
    Series more = occurred(event("message 10"), T0.plusSeconds(1199));
    assertThat(more.name()).isEqualTo(combined.name());

    assertThat(occurred(event("message 11"), T0.plusSeconds(1800)).combined()).isFalse();
    messages(12, 20, T0.plusSeconds(1800));
    Series again = occurred(event("message 20"), T0.plusSeconds(1800));
    assertThat(again.combined()).isTrue();
    assertThat(again.name()).isEqualTo(combined.name());
    assertThat(again.count()).isEqualTo(more.count() + 1);
  }

  @Test
  void startsANewObjectWhenTheOneOfCombinedEventsIsGone() {
    messages(0, 9, T0);
    occurred(event("message 9"), T0);
    Series gone = occurred(event("message 10"), T0);
    Series next = correlator.again(event("message 10"), gone, T0);
    assertThat(next.combined()).isTrue();
    assertThat(next.isNew()).isTrue();
    assertThat(next.name()).isNotEqualTo(gone.name());
    assertThat(next.message()).isEqualTo(COMBINED + "message 10");
    Series more = correlator.again(event("message 9"), gone, T0);
    assertThat(more.name()).isEqualTo(next.name());
    assertThat(more.count()).isEqualTo(2);

    others(EventCorrelator.MAX_KEYS);
    Series alone = correlator.again(event("message 9"), more, T0);
    assertThat(alone.combined()).isFalse();
    assertThat(alone.isNew()).isTrue();
  }

  @Test
  void eventsThatAreTooManyAreCountedUntilOneMayBeWritten() {
    for (int i = 0; i < SpamFilter.BURST; i++) {
      occurred(event("again"), T0);
    }
    assertThat(correlator.occurred(event("again"), T0)).isNull();
    assertThat(correlator.occurred(event("again"), T0)).isNull();
    Series later = occurred(event("again"), T0.plus(SpamFilter.REFILL));
    assertThat(later.count()).isEqualTo(28);
    assertThat(later.isNew()).isFalse();
  }

  @Test
  void theFirstThatMayBeWrittenMakesTheObject() {
    for (int i = 0; i < SpamFilter.BURST; i++) {
      occurred(event("again"), T0);
    }
    assertThat(correlator.occurred(event("news"), T0)).isNull();
    Series later = occurred(event("news"), T0.plus(SpamFilter.REFILL));
    assertThat(later.isNew()).isTrue();
    assertThat(later.count()).isEqualTo(2);
    assertThat(later.first()).isEqualTo(T0);
  }

  private Series occurred(ObjectEvent event, Instant now) {
    Series series = correlator.occurred(event, now);
    if (series == null) {
      throw new AssertionError(event + " is one too many");
    }
    return series;
  }

  private List<Series> messages(int from, int to, Instant now) {
    return Stream.iterate(from, i -> i < to, i -> i + 1)
        .map(i -> occurred(event("message " + i), now))
        .toList();
  }

  /** An event about each of so many other pods. */
  private void others(int count) {
    for (int i = 0; i < count; i++) {
      occurred(event("Pod", "default", "pod-" + i, "uid-" + i, "Normal", "Pulled", "node"), T0);
    }
  }

  private static ObjectEvent event(String message) {
    return new ObjectEvent(
        "Pod", "default", "pod", "uid", "", ObjectEvent.WARNING, "BackOff", message, "node");
  }

  private static ObjectEvent event(
      String kind,
      String namespace,
      String name,
      String uid,
      String type,
      String reason,
      String node) {
    return new ObjectEvent(kind, namespace, name, uid, "", type, reason, "message", node);
  }
}
