package dev.vertlet.harness.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {

  @Test
  void neverGivesAPortTwice() {
    assertThat(IntStream.range(0, 200).map(i -> LoopbackPorts.next()).boxed())
        .doesNotHaveDuplicates();
  }
}
