package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.HandlerView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodView;
import dev.vertlet.model.ProbeView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.HookRequest;
import dev.vertlet.provider.HookRequest.Moment;
import dev.vertlet.provider.ProbeKind;
import dev.vertlet.provider.ProbeRequest;
import dev.vertlet.provider.ProbeResult;
import dev.vertlet.provider.ProbeResult.Outcome;
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

  private static Future<ProbeResult> probe(Lab lab, PodView pod, ContainerRecord record) {
    return probe(lab, pod, record, COMMAND);
  }

  private static Future<ProbeResult> probe(
      Lab lab, PodView pod, ContainerRecord record, HandlerView handler) {
    ContainerView container = Pods.container(record.name());
    ProbeView probe = new ProbeView(handler, 0, 1, 10, 1, 3, null);
    return lab.runtime.probe(
        new ProbeRequest(pod, "10.0.0.9", container, record.id(), ProbeKind.LIVENESS, probe));
  }

  private static Future<Void> hook(Lab lab, PodView pod, ContainerRecord record, Moment moment) {
    ContainerView container = Pods.container(record.name());
    return lab.runtime.runHook(
        new HookRequest(pod, "10.0.0.9", container, record.id(), moment, COMMAND));
  }

  private static SimulatedRule rule(Setting setting, String text) {
    return Lab.rule(LifeCycle.UNSET.with(setting, text));
  }

  @Test
  void probesAndHooksSucceedWithoutARule() {
    Lab lab = Lab.with();
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);

    assertThat(Lab.get(probe(lab, pod, record))).isEqualTo(ProbeResult.SUCCESS);
    assertThat(hook(lab, pod, record, Moment.POST_START).succeeded()).isTrue();
    assertThat(hook(lab, pod, record, Moment.PRE_STOP).succeeded()).isTrue();
  }

  @Test
  void aRuleSaysFromWhenOnProbesFail() {
    Lab lab = Lab.with(rule(Setting.LIVENESS_PROBE, "ok 30s, fail"));
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);
    assertThat(Lab.get(probe(lab, pod, record)).outcome()).isEqualTo(Outcome.SUCCESS);

    lab.time.advance(Duration.ofSeconds(30));
    assertThat(Lab.get(probe(lab, pod, record)))
        .isEqualTo(ProbeResult.failure("simulated failure"));
  }

  @Test
  void theAgeOfAnAdoptedInstanceGoesOn() {
    Lab lab = Lab.with(rule(Setting.LIVENESS_PROBE, "ok 30s, fail"));
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);
    PodView shown =
        Pods.pod("p")
            .status(PodPhase.RUNNING, List.of("10.0.0.2"), Pods.statusOf(record, true, null))
            .view();

    Lab next = lab.restarted(rule(Setting.LIVENESS_PROBE, "ok 30s, fail"));
    Lab.get(next.runtime.restore(shown));
    next.time.advance(Duration.ofSeconds(31));
    assertThat(Lab.get(probe(next, shown, record)).outcome()).isEqualTo(Outcome.FAILURE);
  }

  @Test
  void countsAreOfOneInstance() {
    PodView pod = Pods.pod("p").annotate("main.liveness-probe", "ok 1x, fail").view();
    Lab lab = Lab.with();
    ContainerRecord first = lab.run(pod);
    assertThat(Lab.get(probe(lab, pod, first)).outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(Lab.get(probe(lab, pod, first)).outcome()).isEqualTo(Outcome.FAILURE);

    Lab.get(lab.runtime.stopContainer(pod.ref(), first.id(), Duration.ofSeconds(1)));
    ContainerRecord second = lab.start(pod, "main", 1);
    assertThat(Lab.get(probe(lab, pod, second)).outcome()).isEqualTo(Outcome.SUCCESS);
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
    Lab lab = Lab.with(rule(Setting.LIVENESS_PROBE, "fail"));
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);

    assertThat(Lab.get(probe(lab, pod, record, handler)).output()).isEqualTo(output);
  }

  @Test
  void aProbeCanHangWarnOrNotBeMade() {
    PodView pod = Pods.pod("p").annotate("main.liveness-probe", "hang 1x, warn 1x, error").view();
    Lab lab = Lab.with();
    ContainerRecord record = lab.run(pod);

    assertThat(probe(lab, pod, record).isComplete()).isFalse();
    assertThat(Lab.get(probe(lab, pod, record)).outcome()).isEqualTo(Outcome.WARNING);
    assertThat(probe(lab, pod, record).cause()).hasMessage("the probe could not be made");
  }

  @Test
  void whatDoesNotRunCannotBeProbed() {
    Lab lab = Lab.with();
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);
    Lab.get(lab.runtime.removeSandbox(pod.ref()));

    assertThat(probe(lab, pod, record).cause()).hasMessage("container main does not run");
    assertThat(hook(lab, pod, record, Moment.PRE_STOP).cause())
        .hasMessage("container main does not run");
  }

  @Test
  void aHookTakesItsTimeAndFailsAsTold() {
    PodView pod = Pods.pod("p").annotate("post-start", "2s").annotate("pre-stop", "fail 3s").view();
    Lab lab = Lab.with();
    ContainerRecord record = lab.run(pod);
    Future<Void> postStart = hook(lab, pod, record, Moment.POST_START);
    Future<Void> preStop = hook(lab, pod, record, Moment.PRE_STOP);

    lab.time.advance(Duration.ofSeconds(2));
    assertThat(postStart.succeeded()).isTrue();
    assertThat(preStop.isComplete()).isFalse();

    lab.time.advance(Duration.ofSeconds(1));
    assertThat(preStop.cause()).hasMessage("command exited with 1");
  }

  @Test
  void aHookUnderWayFailsWhenTheRuntimeStops() {
    Lab lab = Lab.with(rule(Setting.PRE_STOP, "never"), rule(Setting.PRE_STOP, "1h"));
    PodView pod = Pods.pod("p").annotate("pre-stop", "1h").view();
    Future<Void> hook = hook(lab, pod, lab.run(pod), Moment.PRE_STOP);

    Lab.get(lab.runtime.stop());
    assertThat(hook.failed()).isTrue();
  }
}
