package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReturnGateTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final ReturnGate gate = new ReturnGate();

  @Test
  void aServerWithoutTroubleHasNothingToReturnFrom() {
    assertThat(gate.succeeded(START)).isEmpty();
  }

  @Test
  void theFirstSuccessAfterTroubleIsTheReturn() {
    gate.failed();
    gate.failed();

    assertThat(gate.succeeded(START)).contains(Duration.ZERO);
    assertThat(gate.due(START, true)).isTrue();
    assertThat(gate.succeeded(START.plusMillis(1))).isEmpty();
  }

  @Test
  void returnsOfOneSpellComeAtGrowingDistances() {
    List<Long> returns = returnsOf(Duration.ofSeconds(40));
    assertThat(returns).containsExactly(0L, 1L, 3L, 7L, 15L, 23L, 31L, 39L);
  }

  /** A failure and a success every 100 ms; the seconds of the returns. */
  private List<Long> returnsOf(Duration spell) {
    List<Long> returns = new ArrayList<>();
    Instant asked = Instant.MAX;
    for (Instant now = START; now.isBefore(START.plus(spell)); now = now.plusMillis(100)) {
      gate.failed();
      Optional<Duration> delay = gate.succeeded(now);
      if (delay.isPresent()) {
        asked = now.plus(delay.get());
      }
      if (!asked.isAfter(now)) {
        asked = Instant.MAX;
        if (gate.due(now, true)) {
          returns.add(Duration.between(START, now).toSeconds());
        }
      }
    }
    return returns;
  }

  @Test
  void aSpellAfterAQuietMinuteBeginsAnew() {
    returnsOf(Duration.ofSeconds(40));

    Instant last = START.plusSeconds(47);
    assertThat(gate.due(last, true)).isTrue();

    Instant later = last.plus(ReturnGate.SPELL);
    gate.failed();
    assertThat(gate.succeeded(later)).contains(Duration.ZERO);
    assertThat(gate.due(later, true)).isTrue();
    gate.failed();
    assertThat(gate.succeeded(later)).contains(ReturnGate.SHORTEST);
  }

  @Test
  void aServerThatFailsAgainDuringTheDelayIsNotBack() {
    gate.failed();
    gate.succeeded(START);
    gate.due(START, true);
    gate.failed();
    assertThat(gate.succeeded(START)).contains(ReturnGate.SHORTEST);

    assertThat(gate.due(START.plusSeconds(1), false)).isFalse();
    assertThat(gate.succeeded(START.plusSeconds(2))).contains(Duration.ZERO);
    assertThat(gate.due(START.plusSeconds(2), true)).isTrue();
  }
}
