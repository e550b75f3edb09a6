package dev.vertlet.harness.run;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long now;
  private final ProgressLines lines = new ProgressLines(new PrintStream(bytes, true), () -> now);

  @Test
  void aLineForEachQuarter() {
    lines.begin("pods Ready", 100);
    for (int done = 0; done <= 100; done++) {
      lines.at(done);
      now += MILLISECONDS.toNanos(20);
    }

    assertThat(bytes.toString().lines())
        .containsExactly(
            "pods Ready 25/100, 50/s",
            "pods Ready 50/100, 50/s",
            "pods Ready 75/100, 50/s",
            "pods Ready 100/100, 50/s");
  }

  @Test
  void aNewStepBeginsAnew() {
    lines.begin("a", 1);
    lines.at(1);
    lines.begin("b", 1);
    lines.at(0);
    now += SECONDS.toNanos(2);
    lines.at(1);
    lines.at(1);

    assertThat(bytes.toString().lines()).containsExactly("a 1/1, 0.0/s", "b 1/1, 0.5/s");
  }

  @Test
  void nothingToDoSaysNothing() {
    lines.begin("a", 0);
    lines.at(0);

    assertThat(bytes.toString()).isEmpty();
  }

  @Test
  void aLongStepIsNotSilent() {
    lines.begin("soak", 1_000);
    for (int second = 1; second <= 61; second++) {
      now += SECONDS.toNanos(1);
      lines.at(second, "p99 12 ms");
    }

    assertThat(bytes.toString().lines())
        .containsExactly("soak 30/1000, 1.0/s, p99 12 ms", "soak 60/1000, 1.0/s, p99 12 ms");
  }

  @Test
  void aStepWithoutATotalIsNotSilentEither() {
    lines.begin("hold", 0);
    now += SECONDS.toNanos(30);
    lines.at(0, "100 nodes");

    assertThat(bytes.toString().lines()).containsExactly("hold 0, 0.0/s, 100 nodes");
  }

  @Test
  void faultsAreToldAsTheyHappen() {
    lines.begin("soak", 2);
    lines.happened("fault: watches cut");
    lines.at(2);

    assertThat(bytes.toString().lines()).containsExactly("fault: watches cut", "soak 2/2, 0.0/s");
  }
}
