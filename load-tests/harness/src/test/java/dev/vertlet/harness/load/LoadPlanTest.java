package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenario;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LoadPlanTest {
  private static LoadPlan plan(int nodes, int namespaces, Phase... phases) {
    return TestPlans.of(Path.of("k"), TestPlans.scenario(nodes, namespaces, phases));
  }

  @Test
  void podsAreSpreadEvenlyOverNodesAndNamespaces() {
    LoadPlan plan = plan(3, 2);

    assertThat(plan.nodeOf(0)).isEqualTo("x-node-0");
    assertThat(plan.nodeOf(5)).isEqualTo("x-node-2");
    assertThat(plan.namespaces()).containsExactly("default-0", "default-1");
    assertThat(plan.namespaceOf(0)).isEqualTo("default-0");
    assertThat(plan.namespaceOf(5)).isEqualTo("default-1");
  }

  @Test
  void oneNamespaceHasNoNumber() {
    assertThat(plan(1, 1).namespaces()).containsExactly("default");
  }

  @Test
  void nodesHaveRoomForTheMostPodsAtATime() {
    Scenario scenario =
        TestPlans.scenario(
            3,
            1,
            TestPlans.create("a", 5),
            TestPlans.create("b", 4),
            TestPlans.delete("c", 8),
            TestPlans.create("d", 6));

    assertThat(scenario.mostPods()).isEqualTo(9);
    assertThat(TestPlans.of(Path.of("k"), scenario).podsPerNode()).isEqualTo(3);
    assertThat(plan(3, 1, TestPlans.create("a", 7)).podsPerNode()).isEqualTo(3);
  }

  @Test
  void nodesOfOthersAreNotOwned() {
    assertThat(plan(2, 1).owns("x-node-1")).isTrue();
    assertThat(plan(2, 1).owns("xy-node-1")).isFalse();
  }
}
