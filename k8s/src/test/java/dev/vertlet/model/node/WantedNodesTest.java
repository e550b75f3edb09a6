package dev.vertlet.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WantedNodesTest {
  private final WantedNodes nodes = new WantedNodes();

  @Test
  void whoWantsANodeLearnsOnceThatPodsOfItWerePassedOver() {
    assertThat(nodes.test("a")).isFalse();

    nodes.want("a");
    nodes.want("b");
    assertThat(nodes.takeIncomplete("a")).isTrue();
    assertThat(nodes.takeIncomplete("a")).isFalse();
    assertThat(nodes.takeIncomplete("b")).isFalse();
    assertThat(nodes.test("a")).isTrue();
    assertThat(nodes.test("b")).isTrue();
  }

  @Test
  void aNodeIsIncompleteAsLongAsNobodyTakesIt() {
    nodes.want("a");
    nodes.passedOver("a");
    assertThat(nodes.test("a")).isTrue();
    nodes.leave("a");
    assertThat(nodes.test("a")).isFalse();
    assertThat(nodes.takeIncomplete("a")).as("only of who is wanted").isFalse();

    nodes.want("a");
    assertThat(nodes.takeIncomplete("a")).isTrue();
  }

  @Test
  void aNodeThatWasLeftWithoutAPodIsComplete() {
    nodes.want("a");
    nodes.leave("a");
    nodes.leave("never wanted");
    nodes.want("a");
    assertThat(nodes.takeIncomplete("a")).isFalse();
  }
}
