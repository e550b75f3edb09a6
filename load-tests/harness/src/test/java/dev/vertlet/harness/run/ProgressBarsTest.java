package dev.vertlet.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarsTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final AtomicLong now = new AtomicLong();
  private final ProgressBars bars = new ProgressBars(new PrintStream(bytes, true), 120, now::get);

  @Test
  void aBarShowsRateAndDetail() {
    bars.begin("pods Ready", 200);
    now.addAndGet(1_000_000_000);
    bars.at(120, "p50 9 ms, p99 31 ms");
    bars.close();

    assertThat(bytes.toString()).contains("pods Ready", "120/200", "120/s, p50 9 ms, p99 31 ms");
  }

  @Test
  void whatHappensStandsOnALineOfItsOwn() {
    bars.begin("soak", 10);
    bars.happened("fault: watches cut");
    bars.close();

    assertThat(bytes.toString().lines()).anyMatch(line -> line.endsWith("fault: watches cut"));
  }

  @Test
  void whatHappensBetweenStepsIsTold() {
    bars.happened("fault: API server killed");

    assertThat(bytes.toString().lines()).containsExactly("fault: API server killed");
  }
}
