package dev.vertlet.harness.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodePlanTest {
  private static final NodePattern PATTERN =
      NodePattern.read(
          "x",
          "{apiVersion: v1, kind: Node, metadata: {name: 'n{i}'}}".getBytes(StandardCharsets.UTF_8),
          new Environment(Map.of(), Host.detect()));

  private static List<FoundNode> nodes(String numbers) {
    return numbers.isEmpty()
        ? List.of()
        : Stream.of(numbers.split(" ")).map(i -> new FoundNode("n" + i, "uid-" + i)).toList();
  }

  @ParameterizedTest
  @CsvSource({
    // found, count, made, removed, kept
    "'', 0, '', '', 0",
    "'', 3, 0 1 2, '', 0",
    "0 1 2, 3, '', '', 3",
    "0 1 2, 5, 3 4, '', 3",
    "0 1 2 10 9, 3, '', 10 9, 3",
    "0 1 2, 0, '', 2 1 0, 0",
    "1 3, 3, 0, '', 2",
    "1 3, 2, '', '', 2",
    "5 7, 4, 0 1, '', 2"
  })
  void scaleMakesTheLowestOrRemovesTheHighest(
      String found, int count, String made, String removed, int kept) {
    NodePlan plan = NodePlan.scale(PATTERN, nodes(found), count);

    assertThat(plan.create().stream().map(String::valueOf)).isEqualTo(words(made));
    assertThat(plan.delete()).isEqualTo(nodes(removed));
    assertThat(plan.kept()).isEqualTo(kept);
    assertThat(plan.size()).isEqualTo(words(made).size() + words(removed).size());
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  @Test
  void createRemovesNothing() {
    assertThat(NodePlan.create(PATTERN, nodes("0 1 2"), 1))
        .isEqualTo(new NodePlan(List.of(), List.of(), 3));
    assertThat(NodePlan.create(PATTERN, nodes("1"), 2))
        .isEqualTo(new NodePlan(List.of(0), List.of(), 1));
  }

  @Test
  void anotherSetsNodesCountForNothing() {
    List<FoundNode> others = List.of(new FoundNode("m0", "u"), new FoundNode("n0x", "v"));

    assertThat(NodePlan.scale(PATTERN, others, 0)).isEqualTo(new NodePlan(List.of(), List.of(), 0));
  }

  @Test
  void deleteTakesAllThatItIsGiven() {
    assertThat(NodePlan.delete(nodes("1 0"))).isEqualTo(NodePlan.delete(nodes("0 1")));
  }
}
