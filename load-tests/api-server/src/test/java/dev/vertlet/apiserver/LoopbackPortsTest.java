package dev.vertlet.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {
  @Test
  void noPortIsGivenTwiceNorOneThatKubeletsHave() {
    assertThat(IntStream.range(0, 200).map(i -> LoopbackPorts.next()).boxed())
        .doesNotHaveDuplicates()
        .allSatisfy(port -> assertThat(port).isGreaterThanOrEqualTo(10_400));
  }
}
