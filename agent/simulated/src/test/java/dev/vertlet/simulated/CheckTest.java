package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.probe.ProbeResult.Outcome;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.RuleKey;
import dev.vertlet.simulated.rule.SimulatedRule;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Probes and hooks of simulated containers. */
class CheckTest {
  private static final HandlerView COMMAND = new HandlerView.Exec(List.of("true"));

  private Lab lab = Lab.with();
  private PodView pod = Pods.pod("p").view();

  @SuppressWarnings("NullAway.Init") // set by run, with which each test begins
  private ContainerRecord record;

  private void run(Pods pods, SimulatedRule... rules) {
    lab = Lab.with(rules);
    pod = pods.view();
    record = lab.run(pod);
  }

  private Future<ProbeResult> probe() {
    return probe(COMMAND);
  }

  private Future<ProbeResult> probe(HandlerView handler) {
    ContainerView container = Pods.container(record.name());
    ProbeView probe = new ProbeView(handler, 0, 1, 10, 1, 3, null);
    return lab.runtime.probe(
        new ProbeRequest(pod, "10.0.0.9", container, record.id(), ProbeKind.LIVENESS, probe));
  }

  private Future<Void> hook(Moment moment) {
    ContainerView container = Pods.container(record.name());
    return lab.runtime.runHook(
        new HookRequest(pod, "10.0.0.9", container, record.id(), moment, COMMAND));
  }

  private static SimulatedRule rule(RuleKey setting, String text) {
    return Lab.rule(LifeCycle.UNSET.with(setting, text));
  }

  @Test
  void probesAndHooksSucceedWithoutARule() {
    run(Pods.pod("p"));

    assertThat(Lab.get(probe())).isEqualTo(ProbeResult.SUCCESS);
    assertThat(hook(Moment.POST_START).succeeded()).isTrue();
    assertThat(hook(Moment.PRE_STOP).succeeded()).isTrue();
  }

  @Test
  void aRuleSaysFromWhenOnProbesFail() {
    run(Pods.pod("p"), rule(RuleKey.LIVENESS_PROBE, "ok 30s, fail"));
    assertThat(Lab.get(probe()).outcome()).isEqualTo(Outcome.SUCCESS);

    lab.time.advance(Duration.ofSeconds(30));
    assertThat(Lab.get(probe())).isEqualTo(ProbeResult.failure("simulated failure"));
  }

  @Test
  void theAgeOfAnAdoptedInstanceGoesOn() {
    run(Pods.pod("p"), rule(RuleKey.LIVENESS_PROBE, "ok 30s, fail"));
    pod =
        Pods.pod("p")
            .status(PodPhase.RUNNING, List.of("10.0.0.2"), Pods.statusOf(record, true, null))
            .view();

    lab = lab.restarted(rule(RuleKey.LIVENESS_PROBE, "ok 30s, fail"));
    lab.restore(pod);
    lab.time.advance(Duration.ofSeconds(31));
    assertThat(Lab.get(probe()).outcome()).isEqualTo(Outcome.FAILURE);
  }

  @Test
  void countsAreOfOneInstance() {
    run(Pods.pod("p").annotate("main.liveness-probe", "ok 1x, fail"));
    assertThat(Lab.get(probe()).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(Lab.get(probe()).outcome()).isEqualTo(Outcome.FAILURE);

    Lab.get(lab.stop(pod, Duration.ofSeconds(1)));
    record = lab.start(pod, "main", 1);
    assertThat(Lab.get(probe()).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of(
            new HandlerView.HttpGet("HTTP", "", "80", "/", List.of()),
            "HTTP probe failed with statuscode: 500"),
        Arguments.of(
            new HandlerView.TcpSocket("", "80"),
            "dial tcp 10.0.0.9:80: connect: connection refused"),
        Arguments.of(
            new HandlerView.Grpc(80, ""), "service unhealthy (responded with \"NOT_SERVING\")"),
        Arguments.of(COMMAND, "simulated failure"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void failuresReadLikeAKubelets(HandlerView handler, String output) {
    run(Pods.pod("p"), rule(RuleKey.LIVENESS_PROBE, "fail"));

    assertThat(Lab.get(probe(handler)).output()).isEqualTo(output);
  }

  @Test
  void aProbeCanHangWarnOrNotBeMade() {
    run(Pods.pod("p").annotate("main.liveness-probe", "hang 1x, warn 1x, error"));

    assertThat(probe().isComplete()).isFalse();
    assertThat(Lab.get(probe()).outcome()).isEqualTo(Outcome.WARNING);
    assertThat(probe().cause()).hasMessage("the probe could not be made");
  }

  @Test
  void whatDoesNotRunCannotBeProbed() {
    run(Pods.pod("p"));
    lab.remove(pod);

    assertThat(probe().cause()).hasMessage("container main does not run");
    assertThat(hook(Moment.PRE_STOP).cause()).hasMessage("container main does not run");
  }

  @Test
  void aHookTakesItsTimeAndFailsAsTold() {
    run(Pods.pod("p").annotate("post-start", "2s").annotate("pre-stop", "fail 3s"));
    Future<Void> postStart = hook(Moment.POST_START);
    Future<Void> preStop = hook(Moment.PRE_STOP);

    lab.time.advance(Duration.ofSeconds(2));
    assertThat(postStart.succeeded()).isTrue();
    assertThat(preStop.isComplete()).isFalse();

    lab.time.advance(Duration.ofSeconds(1));
    assertThat(preStop.cause()).hasMessage("command exited with 1");
  }

  @Test
  void aHookUnderWayFailsWhenTheRuntimeStops() {
    run(Pods.pod("p").annotate("pre-stop", "1h"), rule(RuleKey.PRE_STOP, "never"));
    Future<Void> hook = hook(Moment.PRE_STOP);

    Lab.get(lab.runtime.stop());
    assertThat(hook.failed()).isTrue();
  }
}
