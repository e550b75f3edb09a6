package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Outage outage = new Outage("server is away");

  @Test
  void writesOneLinePerStepHoweverManyRequestsFail() {
    List<Long> lines = new ArrayList<>();
    // when: ten failures per second for two minutes
    for (long millis = 0; millis < 120_000; millis += 100) {
      long at = millis;
      outage.failed(START.plusMillis(millis), "refused").ifPresent(line -> lines.add(at / 1000));
    }
    assertThat(lines).containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 61L, 91L);
  }

  @Test
  void saysHowLongItTookOnceItIsOver() {
    outage.failed(START, "refused");

    var line = outage.succeeded(START.plusSeconds(42));
    assertThat(line).contains("after 42 s");
    assertThat(outage.succeeded(START.plusSeconds(43))).isEmpty();
  }

  @Test
  void beginsAnewWithTheNextFailure() {
    outage.failed(START, "refused");
    outage.succeeded(START.plusSeconds(1));

    var line = outage.failed(START.plusSeconds(2), "reset");
    assertThat(line).contains("server is away: reset; trying again");
  }
}
