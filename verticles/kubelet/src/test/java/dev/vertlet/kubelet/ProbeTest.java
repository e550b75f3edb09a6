package dev.vertlet.kubelet;

import static dev.vertlet.testing.Care.care;
import static dev.vertlet.testing.Care.probe;
import static dev.vertlet.testing.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.testing.Care;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Spec §6.2 through the whole core. */
class ProbeTest {
  private static final ProbeResult NO = ProbeResult.failure("no such file");

  private final Kubelet kubelet = new Kubelet();

  private long count(ProbeKind kind) {
    return kubelet.runtime.probes.stream().filter(p -> p.kind() == kind).count();
  }

  private void answer(ProbeKind kind, ProbeResult result) {
    kubelet.runtime.probeAnswers.put(kind + " c", result);
  }

  @Test
  @Tag("C25")
  void c25AFailedLivenessProbeEndsTheContainerWhichStartsAgain() {
    PodView pod = kubelet.create(pod().container("c", care().liveness(probe())));
    answer(ProbeKind.LIVENESS, NO);
    String first = kubelet.container(pod, "c").containerId();

    kubelet.advance(29);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    kubelet.advance(2);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 30000");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "c").containerId()).isNotEqualTo(first);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.eventLines().stream().filter(e -> e.contains("Unhealthy")))
        .containsExactly(
            "Warning Unhealthy Liveness probe failed: no such file",
            "Warning Unhealthy Liveness probe failed: no such file",
            "Warning Unhealthy Liveness probe failed: no such file");
    assertThat(kubelet.eventLines())
        .contains("Normal Killing Container c failed liveness probe, will be restarted");
  }

  @Test
  @Tag("C25")
  void c25TheBackOffAppliesOnceTheContainerEndsSoonerThanItsPause() {
    PodView pod = kubelet.create(pod().container("c", care().liveness(probe(0, 1, 1, 1))));
    answer(ProbeKind.LIVENESS, NO);

    kubelet.advance(9);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(2);
    assertThat(kubelet.state(pod, "c")).isEqualTo(Kubelet.backOff("10s"));
    assertThat(kubelet.lastEnd(pod, "c").exitCode()).isEqualTo(143);

    answer(ProbeKind.LIVENESS, ProbeResult.SUCCESS);
    kubelet.advance(10);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(3);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @ParameterizedTest(name = "6.2 {0}, exit code {1}: {2}")
  @CsvSource({
    "Always, 0, true, RUNNING",
    "OnFailure, 143, true, RUNNING",
    "OnFailure, 0, true, RUNNING",
    "Never, 143, false, FAILED",
    "Never, 0, false, SUCCEEDED"
  })
  void afterAFailedLivenessProbeThePolicySaysWhetherItRunsAgain(
      String policy, int exit, boolean again, PodPhase phase) {
    kubelet.runtime.termExit = exit;
    PodView pod =
        kubelet.create(
            pod()
                .policy(RestartPolicy.of(policy))
                .container("c", care().liveness(probe(0, 5, 1, 1))));
    answer(ProbeKind.LIVENESS, NO);

    kubelet.advance(6);
    assertThat(kubelet.phase(pod)).isEqualTo(phase);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(again ? 1 : 0);
    assertThat(kubelet.eventLines())
        .contains(
            again
                ? "Normal Killing Container c failed liveness probe, will be restarted"
                : "Normal Killing Stopping container c");
  }

  @Test
  void aProbeThatEndsOneOfTwoContainersEndsNoPod() {
    PodView pod =
        kubelet.create(
            pod().never().container("c", care().liveness(probe(0, 5, 1, 1))).container("d"));
    answer(ProbeKind.LIVENESS, NO);

    kubelet.advance(6);

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.eventLines()).contains("Normal Killing Container c failed liveness probe");
  }

  @Test
  void theGraceOfTheProbeCountsBeforeThePods() {
    ProbeView probe = new ProbeView(Care.COMMAND, 0, 1, 5, 1, 1, 7L);
    kubelet.create(pod().container("c", care().liveness(probe)));
    answer(ProbeKind.LIVENESS, NO);

    kubelet.advance(6);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 7000");
  }

  @Test
  void aContainerThatIgnoresItsEndIsNotAskedAgainWithinItsGrace() {
    kubelet.runtime.stubborn.add("c");
    PodView pod = kubelet.create(pod().container("c", care().liveness(probe(0, 5, 1, 1))));
    answer(ProbeKind.LIVENESS, NO);

    kubelet.advance(30);
    assertThat(kubelet.runtime.calls("stop")).hasSize(1);
    assertThat(count(ProbeKind.LIVENESS)).isEqualTo(1);

    kubelet.advance(6);
    assertThat(kubelet.lastEnd(pod, "c").exitCode()).isEqualTo(137);
  }

  @Test
  @Tag("C26")
  void c26NothingElseIsProbedBeforeTheContainerHasStarted() {
    answer(ProbeKind.STARTUP, NO);
    PodView pod =
        kubelet.create(
            pod()
                .container(
                    "c",
                    care()
                        .startup(probe(0, 10, 1, 30))
                        .liveness(probe(0, 1, 1, 1))
                        .readiness(probe(0, 1, 1, 1))));

    kubelet.advance(95);
    assertThat(count(ProbeKind.STARTUP)).isEqualTo(9);
    assertThat(count(ProbeKind.LIVENESS)).isZero();
    assertThat(count(ProbeKind.READINESS)).isZero();
    assertThat(kubelet.container(pod, "c").started()).isFalse();
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("False");

    answer(ProbeKind.STARTUP, ProbeResult.SUCCESS);
    kubelet.advance(6);
    assertThat(kubelet.container(pod, "c").started()).isTrue();
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");

    kubelet.advance(30);
    assertThat(count(ProbeKind.STARTUP)).isEqualTo(10);
    assertThat(count(ProbeKind.LIVENESS)).isGreaterThan(29);
  }

  @Test
  @Tag("C26")
  void c26AContainerThatNeverStartsIsEnded() {
    answer(ProbeKind.STARTUP, NO);
    PodView pod = kubelet.create(pod().container("c", care().startup(probe(0, 10, 1, 30))));

    kubelet.advance(299);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    kubelet.advance(2);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "c").started()).isFalse();
    assertThat(kubelet.eventLines())
        .contains("Normal Killing Container c failed startup probe, will be restarted");
  }

  @Test
  @Tag("C28")
  void c28TheNextContainerWaitsForTheStartupProbeOfASidecar() {
    kubelet.runtime.probeAnswers.put("STARTUP s", NO);
    PodView pod =
        kubelet.create(pod().sidecar("s", care().startup(probe(0, 5, 1, 30))).container("c"));
    kubelet.advance(11);
    assertThat(kubelet.runtime.calls("start")).containsExactly("start s");

    kubelet.runtime.probeAnswers.remove("STARTUP s");
    kubelet.advance(5);
    assertThat(kubelet.runtime.calls("start")).containsExactly("start s", "start c");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aSidecarWhoseLivenessFailsIsStartedAgainAlone() {
    PodView pod =
        kubelet.create(pod().sidecar("s", care().liveness(probe(0, 5, 1, 1))).container("c"));
    kubelet.runtime.probeAnswers.put("LIVENESS s", NO);

    kubelet.advance(6);
    assertThat(kubelet.container(pod, "s").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    assertThat(kubelet.eventLines())
        .contains("Normal Killing Init container s failed liveness probe");
  }

  @Test
  void readinessIsAskedAtOnceAndThenEveryPeriod() {
    PodView pod = kubelet.create(pod().container("c", care().readiness(probe())));
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    assertThat(count(ProbeKind.READINESS)).isEqualTo(1);

    answer(ProbeKind.READINESS, NO);
    kubelet.advance(25);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    kubelet.advance(6);
    assertThat(kubelet.condition(pod, "Ready").message())
        .isEqualTo("containers with unready status: [c]");
    assertThat(kubelet.container(pod, "c").ready()).isFalse();
    assertThat(kubelet.container(pod, "c").started()).isTrue();
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    assertThat(kubelet.eventLines())
        .contains("Warning Unhealthy Readiness probe failed: no such file");

    answer(ProbeKind.READINESS, ProbeResult.SUCCESS);
    kubelet.advance(10);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
  }

  @Test
  void anInitialDelayIsWaitedForAndTheContainerIsUnreadyMeanwhile() {
    PodView pod = kubelet.create(pod().container("c", care().readiness(probe(12, 5, 1, 1))));

    kubelet.advance(14);
    assertThat(count(ProbeKind.READINESS)).isZero();
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("False");

    kubelet.advance(2);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
  }

  @Test
  void aRestartedContainerIsUnreadyUntilItsProbeAgrees() {
    PodView pod = kubelet.create(pod().container("c", care().readiness(probe())));
    answer(ProbeKind.READINESS, NO);

    kubelet.runtime.exit(pod.ref(), "c", 1);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("False");
  }

  @Test
  void whileAPodEndsOnlyReadinessIsProbed() {
    kubelet.runtime.stubborn.add("c");
    PodView pod =
        kubelet.create(
            pod().container("c", care().liveness(probe(0, 1, 1, 1)).readiness(probe(0, 1, 1, 1))));
    kubelet.delete(pod, 20);
    answer(ProbeKind.LIVENESS, NO);
    answer(ProbeKind.READINESS, NO);
    long before = count(ProbeKind.LIVENESS);

    kubelet.advance(10);
    assertThat(count(ProbeKind.LIVENESS)).isEqualTo(before);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("False");
    assertThat(kubelet.runtime.calls("stop")).hasSize(1);

    kubelet.advance(12);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  static Stream<Arguments> handlers() {
    return Stream.of(
        Arguments.of(
            new HandlerView.Exec(List.of("cat", "/ok")),
            "command timed out: \"cat /ok\" timed out after 1s"),
        Arguments.of(
            new HandlerView.HttpGet("HTTP", "", "8080", "/healthz", List.of()),
            "Get \"http://10.0.0.1:8080/healthz\": context deadline exceeded"
                + " (Client.Timeout exceeded while awaiting headers)"),
        Arguments.of(
            new HandlerView.HttpGet("HTTPS", "fd00::1", "443", "x", List.of()),
            "Get \"https://[fd00::1]:443/x\": context deadline exceeded"
                + " (Client.Timeout exceeded while awaiting headers)"),
        Arguments.of(new HandlerView.TcpSocket("", "5432"), "dial tcp 10.0.0.1:5432: i/o timeout"),
        Arguments.of(
            new HandlerView.Grpc(9000, ""), "timeout: health rpc did not complete within 1s"),
        Arguments.of(new HandlerView.Unknown(), "no answer within 1s"));
  }

  @ParameterizedTest(name = "6.2 time-out of {0}")
  @MethodSource("handlers")
  void aProbeThatHangsHasFailedAndHarmsNobodyElse(HandlerView handler, String output) {
    ProbeView probe = new ProbeView(handler, 0, 1, 10, 1, 1, null);
    Promise<Object> hanging = kubelet.runtime.hang("probe LIVENESS c");
    PodView pod = kubelet.create(pod().container("c", care().liveness(probe)));
    PodView other = kubelet.create(pod("other"));

    kubelet.advance(10);
    assertThat(count(ProbeKind.LIVENESS)).isEqualTo(1);
    kubelet.advance(2);
    assertThat(kubelet.eventLines()).contains("Warning Unhealthy Liveness probe failed: " + output);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(other, "c").restartCount()).isZero();

    hanging.complete(ProbeResult.SUCCESS);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  void anAnswerThatComesTooLateIsDropped() {
    Promise<Object> hanging = kubelet.runtime.hang("probe READINESS c");
    PodView pod = kubelet.create(pod().container("c", care().readiness(probe(0, 60, 1, 1))));
    kubelet.advance(2);

    hanging.complete(ProbeResult.SUCCESS);
    kubelet.advance(1);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("False");
  }

  @Test
  void aProbeThatCannotBeMadeIsTriedThreeTimesAndSaysNothing() {
    PodView pod = kubelet.create(pod().container("c", care().liveness(probe(0, 10, 1, 1))));
    for (int i = 0; i < 3; i++) {
      kubelet.runtime.fail("probe LIVENESS c", new RuntimeException("connection lost"));
    }

    kubelet.advance(11);
    assertThat(count(ProbeKind.LIVENESS)).isEqualTo(3);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    assertThat(kubelet.eventLines())
        .contains(
            "Warning Unhealthy Liveness probe errored and resulted in unknown state: connection"
                + " lost");
  }

  @Test
  @Tag("C27")
  void c27ARuntimeWithoutProbesIsToldOfOnceAndLeavesTheContainerUnready() {
    ProviderException none =
        new ProviderException(ProviderException.Kind.UNSUPPORTED, "Probe", "no exec here");
    for (int i = 0; i < 20; i++) {
      kubelet.runtime.script("probe LIVENESS c", () -> Future.failedFuture(none));
      kubelet.runtime.script("probe READINESS c", () -> Future.failedFuture(none));
    }
    PodView pod =
        kubelet.create(
            pod()
                .container("c", care().liveness(probe(0, 10, 1, 1)).readiness(probe(0, 10, 1, 1))));

    kubelet.advance(60);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    assertThat(kubelet.container(pod, "c").ready()).isFalse();
    assertThat(kubelet.eventLines().stream().filter(e -> e.contains("Probe")))
        .containsExactlyInAnyOrder(
            "Warning ProbeWarning Readiness probe warning: no exec here",
            "Warning ProbeWarning Liveness probe warning: no exec here");
  }

  @Test
  void aWarningIsSuccessWithAnEvent() {
    answer(ProbeKind.READINESS, ProbeResult.warning("redirected"));

    PodView pod = kubelet.create(pod().container("c", care().readiness(probe())));
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    assertThat(kubelet.eventLines())
        .contains("Warning ProbeWarning Readiness probe warning: redirected");
  }

  @Test
  @Tag("C67")
  void c67ARestartOfTheAgentFlipsNothingAndSpreadsTheFirstProbes() {
    PodView pod =
        kubelet.create(
            pod()
                .container(
                    "c", care().startup(probe()).readiness(probe(0, 10, 1, 1)).liveness(probe())));
    kubelet.advance(11);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    PodView shown = kubelet.shown(pod);
    kubelet.runtime.probes.clear();

    Kubelet next = kubelet.restarted(shown);
    assertThat(next.reports.stream().filter(r -> !r.status().equals(shown.status()))).isEmpty();
    assertThat(kubelet.runtime.probes).isEmpty();

    next.advance(11);
    assertThat(kubelet.runtime.probes.stream().map(ProbeRequest::kind).distinct())
        .containsExactlyInAnyOrder(ProbeKind.LIVENESS, ProbeKind.READINESS);
    assertThat(next.reports.stream().filter(r -> !r.status().equals(shown.status()))).isEmpty();
  }

  @Test
  void aProbeIsToldWhomToProbe() {
    PodView pod = kubelet.create(pod().container("c", care().readiness(probe())));
    ProbeRequest request = kubelet.runtime.probes.get(0);
    assertThat(request.pod()).isEqualTo(pod);
    assertThat(request.podIP()).isEqualTo("10.0.0.1");
    assertThat(request.containerId()).isEqualTo(kubelet.container(pod, "c").containerId());
    assertThat(request.probe()).isEqualTo(probe());
  }

  @Test
  @Tag("C16")
  void c16AnIdlePodWithoutProbesWakesOnlyForItsResync() {
    kubelet.create(pod());
    int reports = kubelet.reports.size();
    Instant last = kubelet.draws.get(kubelet.draws.size() - 1);
    kubelet.draws.clear();

    kubelet.advance(600);
    assertThat(kubelet.runtime.probes).isEmpty();
    assertThat(kubelet.reports).hasSize(reports);
    // each sync chooses when the next one is, and nothing else does for a pod like this
    assertThat(kubelet.draws).hasSizeBetween(6, 10);
    for (Instant sync : kubelet.draws) {
      assertThat(Duration.between(last, sync))
          .isBetween(Duration.ofSeconds(60), Duration.ofMillis(90_050));
      last = sync;
    }
    assertThat(kubelet.loop.instant()).isBefore(last.plusMillis(90_050));
  }

  /** As configuration that changes while the agent runs: it counts from the next sync on. */
  @Test
  void aPodIsLookedAtAsOftenAsItsNodeIsConfiguredToBy() {
    kubelet.create(pod());
    kubelet.times =
        new PodTimes(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofMinutes(5));
    kubelet.advance(90);
    kubelet.draws.clear();

    kubelet.advance(60);

    assertThat(kubelet.draws).hasSizeBetween(7, 12);
  }
}
