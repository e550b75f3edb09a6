package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.model.container.ContainerExitView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.container.RestartRuleView;
import dev.vertlet.model.container.RestartRuleView.Action;
import dev.vertlet.model.container.RestartRuleView.Operator;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.testing.Care;
import dev.vertlet.testing.Pods;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code restartPolicyRules} of containers. */
class RestartRulesTest {
  private final Kubelet kubelet = new Kubelet();

  private static RestartRuleView rule(Action action, Operator operator, Integer... codes) {
    return new RestartRuleView(action, operator, List.of(codes));
  }

  private static ContainerView ruled(
      String name, @Nullable RestartPolicy own, RestartRuleView... rules) {
    return new ContainerView(name, "img", "IfNotPresent", own)
        .withRestarts(own, new ContainerExitView(List.of(rules), false));
  }

  private static RestartRuleView restart(Integer... codes) {
    return rule(Action.RESTART, Operator.IN, codes);
  }

  private static RestartRuleView all(Integer... codes) {
    return rule(Action.RESTART_ALL_CONTAINERS, Operator.IN, codes);
  }

  /** Starts a pod that never restarts, with this container and whatever else it has. */
  private PodView start(ContainerView ruled, String... others) {
    Pods pod = Pods.pod().never().container(ruled);
    List.of(others).forEach(pod::container);
    return kubelet.create(pod);
  }

  private int restarts(PodView pod, String container) {
    return kubelet.container(pod, container).restartCount();
  }

  @Test
  void aMatchingRuleRestartsAContainerOfAPodThatNeverRestarts() {
    PodView pod = start(ruled("c", RestartPolicy.NEVER, restart(42)));

    kubelet.runtime.exit(pod.ref(), "c", 42);

    assertThat(restarts(pod, "c")).isEqualTo(1);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void restartsByARulePauseAsAllOthers() {
    PodView pod = start(ruled("c", RestartPolicy.NEVER, restart(42)));

    kubelet.runtime.exit(pod.ref(), "c", 42);
    kubelet.runtime.exit(pod.ref(), "c", 42);
    kubelet.advance(6);

    assertThat(kubelet.state(pod, "c")).isEqualTo(Kubelet.backOff("10s"));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    kubelet.advance(5);
    assertThat(restarts(pod, "c")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "IN, 42, NEVER, true",
    "IN, 7, NEVER, false",
    "IN, 7, ON_FAILURE, true",
    "IN, 0, ON_FAILURE, false",
    "IN, 0, ALWAYS, true",
    "NOT_IN, 42, NEVER, false",
    "NOT_IN, 0, NEVER, true",
    "NOT_IN, 42, ON_FAILURE, true",
    "UNKNOWN, 42, NEVER, false",
  })
  void rulesCountBeforeTheContainersPolicy(
      Operator operator, int exitCode, RestartPolicy own, boolean restarts) {
    PodView pod = start(ruled("c", own, rule(Action.RESTART, operator, 42)));

    kubelet.runtime.exit(pod.ref(), "c", exitCode);

    assertThat(restarts(pod, "c")).isEqualTo(restarts ? 1 : 0);
    PodPhase over = exitCode == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
    assertThat(kubelet.phase(pod)).isEqualTo(restarts ? PodPhase.RUNNING : over);
  }

  /** The API server lets nobody write this. */
  @Test
  void rulesMeanNothingWithoutAPolicyBesideThem() {
    PodView pod = start(ruled("c", null, restart(42)));

    kubelet.runtime.exit(pod.ref(), "c", 42);

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
  }

  @ParameterizedTest
  @CsvSource({"42, PENDING", "1, FAILED"})
  void anInitContainerIsTriedAgainByItsRules(int exitCode, PodPhase phase) {
    PodView pod =
        kubelet.create(Pods.pod().never().init(ruled("i", RestartPolicy.NEVER, restart(42))));

    kubelet.runtime.exit(pod.ref(), "i", exitCode);

    assertThat(kubelet.phase(pod)).isEqualTo(phase);
    assertThat(restarts(pod, "i")).isEqualTo(phase == PodPhase.PENDING ? 1 : 0);
  }

  /** The container has no exit code when its kubelet decides to end it. */
  @Test
  void afterAFailedProbeARuleCountsForTheExitThatFollows() {
    ContainerView probed = Care.care().liveness(Care.probe(0, 1, 1, 1)).container("c");
    PodView pod =
        kubelet.create(
            Pods.pod()
                .never()
                .container(
                    probed.withRestarts(
                        RestartPolicy.NEVER, new ContainerExitView(List.of(restart(143)), false))));
    kubelet.runtime.probeAnswers.put("LIVENESS c", ProbeResult.failure("no"));

    kubelet.advance(3);

    assertThat(restarts(pod, "c")).isPositive();
    assertThat(kubelet.eventLines()).contains("Normal Killing Stopping container c");
  }

  @Test
  void aPodRunsOnWhileOneOfItsContainersMayRestart() {
    PodView pod = start(ruled("a", RestartPolicy.NEVER, restart(42)), "b");

    kubelet.runtime.exit(pod.ref(), "b", 0);
    kubelet.runtime.exit(pod.ref(), "a", 42);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    kubelet.runtime.exit(pod.ref(), "a", 0);

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
  }

  @Test
  void anExitRestartsAllContainersOfItsPod() {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .never()
                .init("i")
                .sidecar("s")
                .container(ruled("a", RestartPolicy.NEVER, all(42)))
                .container("b"));
    kubelet.runtime.exit(pod.ref(), "i", 0);
    String ip = kubelet.status(pod).podIPs().get(0);
    kubelet.runtime.stubborn.add("s");
    assertThat(restarting(pod)).isEqualTo("False null null");

    kubelet.runtime.exit(pod.ref(), "a", 42);

    assertThat(restarting(pod))
        .isEqualTo("True RestartAllContainersStarted container exited with restart policy rule");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.end(pod, "a").exitCode()).isEqualTo(42);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop b 2000", "stop s 2000");
    assertThat(kubelet.eventLines()).contains("Normal Killing killing");

    kubelet.advance(3);

    assertThat(restarting(pod)).isEqualTo("False null null");
    assertThat(kubelet.state(pod, "i")).isInstanceOf(Running.class);
    assertThat(restarts(pod, "i")).isEqualTo(1);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);
    assertThat(kubelet.condition(pod, "Initialized").status()).isEqualTo("True");
    for (String name : List.of("i", "s", "a", "b")) {
      assertThat(kubelet.container(pod, name).lastState())
          .isEqualTo(
              new Terminated(
                  137,
                  0,
                  "RestartingAllContainers",
                  "The container is removed because RestartAllContainers in place",
                  null,
                  null,
                  null));
    }

    kubelet.runtime.exit(pod.ref(), "i", 0);

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.status(pod).podIPs()).containsExactly(ip);
    assertThat(kubelet.status(pod).containerStatuses())
        .extracting(ContainerStatusView::restartCount)
        .containsExactly(1, 1);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    assertThat(kubelet.runtime.violations).isEmpty();
  }

  @Test
  void containersThatStartAnewWaitForNoPause() {
    PodView pod = start(ruled("a", RestartPolicy.NEVER, all(42)));

    for (int i = 1; i <= 5; i++) {
      kubelet.runtime.exit(pod.ref(), "a", 42);
      assertThat(restarts(pod, "a")).isEqualTo(i);
      assertThat(kubelet.state(pod, "a")).isInstanceOf(Running.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"i", "s"})
  void initContainersAndSidecarsRestartAllAsWell(String source) {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .never()
                .init(ruled("s", RestartPolicy.ALWAYS, all(42)))
                .init(ruled("i", RestartPolicy.NEVER, all(42)))
                .container("c"));

    kubelet.runtime.exit(pod.ref(), source, 42);

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);
    assertThat(restarts(pod, "s")).isEqualTo(1);
    assertThat(restarts(pod, "i")).isEqualTo(1);
    assertThat(restarts(pod, "c")).isZero();
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("PodInitializing", null));
    kubelet.runtime.exit(pod.ref(), "i", 0);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void ephemeralContainersStayWhileAllOthersStartAnew() {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .never()
                .container(ruled("a", RestartPolicy.NEVER, all(42)))
                .ephemeral("debug"));

    kubelet.runtime.exit(pod.ref(), "a", 42);

    assertThat(restarts(pod, "debug")).isZero();
    assertThat(kubelet.state(pod, "debug")).isInstanceOf(Running.class);
  }

  @Test
  void containersThatStartAnewShowThatTheyDo() {
    PodView pod = start(ruled("a", RestartPolicy.NEVER, all(42)), "b");
    kubelet.runtime.hang("start a");

    kubelet.runtime.exit(pod.ref(), "a", 42);

    Waiting shown =
        new Waiting(
            "RestartingAllContainers",
            "The container is removed because RestartAllContainers in place");
    assertThat(kubelet.state(pod, "a")).isEqualTo(shown);
    assertThat(kubelet.state(pod, "b")).isEqualTo(shown);
    assertThat(restarts(pod, "b")).isEqualTo(1);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void anAgentThatStartsAnewGoesOnWithTheRestart() {
    PodView pod = start(ruled("a", RestartPolicy.NEVER, all(42)), "b");
    kubelet.runtime.stubborn.add("b");
    kubelet.runtime.exit(pod.ref(), "a", 42);

    Kubelet second = kubelet.restarted(kubelet.shown(pod));
    second.advance(3);

    assertThat(second.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(second.container(pod, "a").restartCount()).isEqualTo(1);
    assertThat(second.container(pod, "b").restartCount()).isEqualTo(1);
    assertThat(second.runtime.violations).isEmpty();
  }

  @Test
  void anAgentThatStartsAnewKnowsWhichContainersWaitToStartAnew() {
    PodView pod = start(ruled("a", RestartPolicy.NEVER, all(42)), "b");
    kubelet.runtime.hang("start a");
    kubelet.runtime.exit(pod.ref(), "a", 42);

    Kubelet second = kubelet.restarted(kubelet.shown(pod));

    assertThat(second.container(pod, "a").restartCount()).isEqualTo(1);
    assertThat(second.container(pod, "b").restartCount()).isEqualTo(1);
    assertThat(second.state(pod, "a")).isInstanceOf(Running.class);
    assertThat(second.runtime.violations).isEmpty();
  }

  @Test
  void aPodThatIsOverSaysThatNothingStartsAnew() {
    PodView pod = start(ruled("a", RestartPolicy.NEVER, all(42)));

    kubelet.runtime.exit(pod.ref(), "a", 1);

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(restarting(pod)).isEqualTo("False PodFailed null");
  }

  @Test
  void podsWithoutSuchARuleHaveNoConditionAboutIt() {
    PodView pod = start(ruled("c", RestartPolicy.NEVER, restart(42)));

    assertThat(kubelet.status(pod).condition("AllContainersRestarting")).isNull();
  }

  /** Feature gate ContainerRestartRules: sidecars are older than that. */
  @Test
  void aNodeWithoutTheFeatureGoesByThePolicyOfThePod() {
    kubelet.policy = new NodePolicy(false, true, true, true, List.of(), false);
    PodView pod =
        kubelet.create(
            Pods.pod()
                .never()
                .sidecar("s")
                .container(ruled("a", RestartPolicy.ALWAYS))
                .container(ruled("b", RestartPolicy.NEVER, restart(42))));

    kubelet.runtime.exit(pod.ref(), "s", 1);
    kubelet.runtime.exit(pod.ref(), "a", 1);
    kubelet.runtime.exit(pod.ref(), "b", 42);

    assertThat(restarts(pod, "s")).isEqualTo(1);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, true"})
  void aNodeWithoutTheFeatureRefusesPodsThatRestartAllContainers(boolean rules, boolean all) {
    kubelet.policy = new NodePolicy(rules, all, true, true, List.of(), false);

    PodView pod = kubelet.create(Pods.pod().never().init(ruled("i", RestartPolicy.NEVER, all(42))));

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(pod).reason()).isEqualTo("PodFeatureUnsupported");
    assertThat(kubelet.status(pod).message())
        .isEqualTo(
            "Pod was rejected: Pod requires node features that are not available:"
                + " RestartAllContainersOnContainerExits");
    assertThat(kubelet.policy.declaredFeatures()).isEmpty();
  }

  @Test
  void aNodeWhoseFeaturesDoNotCountRestartsNoOtherContainers() {
    kubelet.policy = new NodePolicy(true, true, true, false, List.of(), false);
    PodView pod = start(ruled("a", RestartPolicy.ON_FAILURE, all(42)));

    kubelet.runtime.exit(pod.ref(), "a", 42);

    assertThat(restarts(pod, "a")).isEqualTo(1);
    assertThat(kubelet.lastEnd(pod, "a").exitCode()).isEqualTo(42);
    assertThat(kubelet.status(pod).condition("AllContainersRestarting")).isNull();
  }

  @Test
  void aNodeDeclaresThatItRestartsAllContainers() {
    assertThat(NodePolicy.DEFAULTS.declaredFeatures())
        .containsExactly("RestartAllContainersOnContainerExits");
  }

  private String restarting(PodView pod) {
    ConditionView condition = kubelet.condition(pod, "AllContainersRestarting");
    return condition.status() + " " + condition.reason() + " " + condition.message();
  }
}
