package dev.vertlet.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ProgressLines lines = new ProgressLines(new PrintStream(bytes, true));

  @Test
  void aLineForEachQuarter() {
    lines.begin("pods Ready", 100);
    for (int done = 0; done <= 100; done++) {
      lines.at(done);
    }

    assertThat(bytes.toString().lines())
        .containsExactly(
            "pods Ready 25/100", "pods Ready 50/100", "pods Ready 75/100", "pods Ready 100/100");
  }

  @Test
  void aNewStepBeginsAnew() {
    lines.begin("a", 1);
    lines.at(1);
    lines.begin("b", 1);
    lines.at(0);
    lines.at(1);
    lines.at(1);

    assertThat(bytes.toString().lines()).containsExactly("a 1/1", "b 1/1");
  }

  @Test
  void nothingToDoSaysNothing() {
    lines.begin("a", 0);
    lines.at(0);

    assertThat(bytes.toString()).isEmpty();
  }
}
