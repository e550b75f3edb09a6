package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerExitView;
import dev.vertlet.model.container.RestartRuleView;
import dev.vertlet.model.container.RestartRuleView.Action;
import dev.vertlet.model.container.RestartRuleView.Operator;
import dev.vertlet.model.pod.PodSpecView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What containers say about their exits, in both encodings. */
class ExitReaderTest {

  private static final String SPEC =
      """
      {"initContainers":[{"name":"i","image":"x","restartPolicy":"Never","restartPolicyRules":[
            {"action":"RestartAllContainers","exitCodes":{"operator":"NotIn","values":[0,300]}}]}],
          "containers":[
            {"name":"plain","image":"x","terminationMessagePolicy":"File"},
            {"name":"c","image":"x","restartPolicy":"Never",
             "terminationMessagePolicy":"FallbackToLogsOnError",
             "restartPolicyRules":[
               {"action":"Restart","exitCodes":{"operator":"In","values":[42]}},
               {"action":"Later","exitCodes":{"operator":"Like","values":[1]}},
               {"action":"Restart"}]}]}
      """;

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsTheRulesOfInitAndRegularContainers(String contentType) {
    PodSpecView spec = spec(contentType);

    assertThat(spec.initContainers().get(0).exit().restartRules())
        .containsExactly(
            new RestartRuleView(Action.RESTART_ALL_CONTAINERS, Operator.NOT_IN, List.of(0, 300)));
    assertThat(spec.containers().get(1).exit().restartRules())
        .containsExactly(
            new RestartRuleView(Action.RESTART, Operator.IN, List.of(42)),
            new RestartRuleView(Action.UNKNOWN, Operator.UNKNOWN, List.of(1)),
            new RestartRuleView(Action.RESTART, Operator.UNKNOWN, List.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsWhereTheTerminationMessageComesFrom(String contentType) {
    PodSpecView spec = spec(contentType);

    assertThat(spec.containers().get(1).exit().fallsBackToLogs()).isTrue();
    assertThat(spec.containers().get(0).exit()).isSameAs(ContainerExitView.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({"42, RESTART", "7, RESTART_ALL_CONTAINERS", "0, "})
  void theFirstRuleThatMatchesCounts(int exitCode, Action expected) {
    ContainerExitView exit =
        new ContainerExitView(
            List.of(
                new RestartRuleView(Action.UNKNOWN, Operator.UNKNOWN, List.of(42)),
                new RestartRuleView(Action.RESTART, Operator.IN, List.of(41, 42)),
                new RestartRuleView(
                    Action.RESTART_ALL_CONTAINERS, Operator.NOT_IN, List.of(0, 42))),
            false);

    assertThat(exit.action(exitCode)).isEqualTo(expected);
  }

  /** As with a kubelet that has the feature turned off: no later rule counts instead. */
  @Test
  void aRuleThatIsTurnedOffStillMatches() {
    ContainerExitView exit =
        new ContainerExitView(
            List.of(
                new RestartRuleView(Action.RESTART_ALL_CONTAINERS, Operator.IN, List.of(42)),
                new RestartRuleView(Action.RESTART, Operator.IN, List.of(42, 43))),
            true);

    ContainerExitView without = exit.withoutRestartOfAll();

    assertThat(without.action(42)).isEqualTo(Action.TURNED_OFF);
    assertThat(without.action(43)).isEqualTo(Action.RESTART);
    assertThat(without.mentions(Action.RESTART_ALL_CONTAINERS)).isFalse();
    assertThat(without.fallsBackToLogs()).isTrue();
  }

  private static PodSpecView spec(String contentType) {
    return EncodedPods.withSpec(contentType, SPEC).spec();
  }
}
