package dev.vertlet.config.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodRangesTest {
  private final PodRanges ranges = new PodRanges("100.64.0.0/22", 24);

  @Test
  void everyNodeHasASliceOfItsOwnAsLongAsThereAreSome() {
    Set<String> slices = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      slices.add(ranges.take("n" + i));
    }

    assertThat(slices)
        .containsExactlyInAnyOrder(
            "100.64.0.0/24", "100.64.1.0/24", "100.64.2.0/24", "100.64.3.0/24");
    assertThat(ranges.take("n4")).isEmpty();
    assertThat(ranges.take("n1")).isIn(slices);

    String freed = ranges.take("n2");
    ranges.free("n2");
    assertThat(ranges.take("n4")).isEqualTo(freed);
  }

  @Test
  void aNodeHasTheSameSliceAfterARestart() {
    PodRanges before = new PodRanges("100.64.0.0/10", 24);
    PodRanges after = new PodRanges("100.64.0.0/10", 24);
    for (int i = 0; i < 500; i++) {
      before.take("kwok-node-" + i);
    }
    int moved = 0;
    for (int i = 499; i >= 0; i--) {
      String node = "kwok-node-" + i;
      moved += after.take(node).equals(before.take(node)) ? 0 : 1;
    }

    // only where two names fall on the same
    assertThat(moved).isLessThan(40);
  }

  @Test
  void theWiderSlicesCount() {
    PodRanges wide = new PodRanges("100.64.0.0/10", 20);

    assertThat(wide.wider(ranges)).isSameAs(wide);
    assertThat(ranges.wider(wide)).isSameAs(wide);
  }
}
