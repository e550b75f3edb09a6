package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LoadPlanTest {
  private static LoadPlan plan(int nodes, int pods) {
    return new LoadPlan(
        Path.of("k"), nodes, pods, Placement.BOUND, "ns", "sa", "x", new Pace.Burst());
  }

  @Test
  void podsAreSpreadEvenly() {
    LoadPlan plan = plan(3, 7);

    assertThat(plan.nodeOf(0)).isEqualTo("x-node-0");
    assertThat(plan.nodeOf(5)).isEqualTo("x-node-2");
    assertThat(plan.podsPerNode()).isEqualTo(3);
  }

  @Test
  void aPodIsKnownByItsName() {
    LoadPlan plan = plan(1, 5);

    assertThat(plan.index(plan.pod(4))).isEqualTo(4);
    assertThat(plan.index("x-pod-5")).isEqualTo(-1);
    assertThat(plan.index("x-pod-04")).isEqualTo(-1);
    assertThat(plan.index("x-pod-a")).isEqualTo(-1);
    assertThat(plan.index("y-pod-1")).isEqualTo(-1);
  }

  @Test
  void nodesOfOthersAreNotOwned() {
    assertThat(plan(2, 2).owns("x-node-1")).isTrue();
    assertThat(plan(2, 2).owns("xy-node-1")).isFalse();
  }
}
