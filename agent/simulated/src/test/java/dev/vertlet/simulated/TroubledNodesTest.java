package dev.vertlet.simulated;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.simulated.rule.DurationRule;
import dev.vertlet.simulated.rule.Glob;
import dev.vertlet.simulated.rule.NodeRule;
import dev.vertlet.simulated.rule.NodeRule.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TroubledNodesTest {
  private final FakeTime time = new FakeTime();
  private final List<String> told = new ArrayList<>();

  @Test
  void aLostNodeAnswersNoPingsUntilItIsBack() {
    TroubledNodes nodes = nodes(rule("flaky", "batch-*", Trouble.LOST, "10m", "1m"));

    assertThat(nodes.ping("batch-0").succeeded()).isTrue();
    time.advance(ofMinutes(10));

    assertThat(nodes.ping("batch-0").cause()).hasMessage("the node is lost by rule \"flaky\"");
    assertThat(nodes.health("batch-0").ready()).isTrue();
    assertThat(nodes.ping("web-0").succeeded()).isTrue();
    time.advance(ofMinutes(1));
    assertThat(nodes.ping("batch-0").succeeded()).isTrue();
    time.advance(ofMinutes(10));
    assertThat(nodes.ping("batch-0").failed()).isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  void aNodeThatIsNotReadySaysSoAndIsHeard() {
    TroubledNodes nodes = nodes(rule("ill", "web-0", Trouble.NOT_READY, "30s", "20s"));

    time.advance(ofSeconds(30));

    assertThat(nodes.health("web-0").ready()).isFalse();
    assertThat(nodes.health("web-0").message()).isEqualTo("the node is not ready by rule \"ill\"");
    assertThat(nodes.ping("web-0").succeeded()).isTrue();
    assertThat(told).containsExactly("web-0");
    time.advance(ofSeconds(20));
    assertThat(nodes.health("web-0").ready()).isTrue();
    assertThat(told).containsExactly("web-0", "web-0");
  }

  @Test
  void aTroubleThatLastsForEverStays() {
    TroubledNodes nodes = nodes(rule("gone", "*", Trouble.LOST, "1m", "never"));

    time.advance(ofMinutes(10_000));

    assertThat(nodes.ping("web-0").failed()).isTrue();
    assertThat(time.pending()).isZero();
  }

  @Test
  void oneTimerServesAllNodesAndChangesAreAtLeastASecondApart() {
    NodeRule restless = rule("restless", "*", Trouble.NOT_READY, "0", "0");
    nodes(restless);

    assertThat(time.pending()).isEqualTo(1);
    time.advance(ofSeconds(10));

    assertThat(told).hasSize(20);
  }

  @Test
  void takesNodesByLabelAndShareAndTheSameOnesAgain() {
    NodeRule zone =
        new NodeRule(
            "zone",
            new Glob("*"),
            Map.of("zone", "b"),
            1,
            Trouble.LOST,
            DurationRule.parse("1s"),
            DurationRule.NEVER);
    assertThat(zone.takes("n", Map.of("zone", "b", "x", "y"), 1)).isTrue();
    assertThat(zone.takes("n", Map.of("zone", "a"), 1)).isFalse();

    NodeRule tenth =
        new NodeRule(
            "tenth",
            new Glob("*"),
            Map.of(),
            0.1,
            Trouble.LOST,
            DurationRule.parse("1s"),
            DurationRule.NEVER);
    long taken = IntStream.range(0, 1000).filter(i -> tenth.takes("n" + i, Map.of(), 7)).count();
    assertThat(taken).isBetween(70L, 130L);
    assertThat(IntStream.range(0, 1000).filter(i -> tenth.takes("n" + i, Map.of(), 7)).count())
        .isEqualTo(taken);
  }

  @Test
  void whenTroubleComesDependsOnSeedRuleAndNodeOnly() {
    NodeRule rule = rule("flaky", "*", Trouble.LOST, "1s..10000h", "1m");
    NodeRule other = rule("other", "*", Trouble.LOST, "1s..10000h", "1m");
    long begins = new NodeTrouble(rule, "n", 7, 0).deadline();

    assertThat(new NodeTrouble(rule, "n", 7, 0).deadline()).isEqualTo(begins);
    assertThat(new NodeTrouble(rule, "n", 8, 0).deadline()).isNotEqualTo(begins);
    assertThat(new NodeTrouble(rule, "m", 7, 0).deadline()).isNotEqualTo(begins);
    assertThat(new NodeTrouble(other, "n", 7, 0).deadline()).isNotEqualTo(begins);
  }

  @Test
  void refusesARuleThatTakesNoNodes() {
    assertThatThrownBy(
            () ->
                new NodeRule(
                    "none",
                    new Glob("*"),
                    Map.of(),
                    0,
                    Trouble.LOST,
                    DurationRule.ZERO,
                    DurationRule.ZERO))
        .hasMessage("share of rule \"none\" must be above 0 and at most 1, got 0.0");
  }

  private static NodeRule rule(
      String name, String nodes, Trouble trouble, String every, String lasts) {
    return new NodeRule(
        name,
        new Glob(nodes),
        Map.of(),
        1,
        trouble,
        DurationRule.parse(every),
        DurationRule.parse(lasts));
  }

  private TroubledNodes nodes(NodeRule rule) {
    TroubledNodes nodes =
        new TroubledNodes(
            time,
            time,
            1,
            List.of(rule),
            List.of(spec("batch-0"), spec("web-0")),
            NodeProvider.ALWAYS_HEALTHY);
    nodes.onChange(told::add);
    return nodes;
  }

  private static NodeSpec spec(String name) {
    return new NodeSpec(
        name, Map.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of(), Map.of(), "");
  }
}
