package dev.vertlet.kubelet;

import static dev.vertlet.testing.Care.care;
import static dev.vertlet.testing.Care.probe;
import static dev.vertlet.testing.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kubelet.pod.TimerWheel;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.testing.Care;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spec §6.1 and §6.3: hooks through the whole core. */
class HookTest {
  private static final HandlerView COMMAND = Care.COMMAND;

  private final Kubelet kubelet = new Kubelet();

  private PodView preStop(HandlerView handler) {
    return kubelet.create(pod().container("c", care().preStop(handler)));
  }

  private PodView postStart(HandlerView handler) {
    return kubelet.create(pod().container("c", care().postStart(handler)).container("d"));
  }

  @Test
  @Tag("C33")
  void c33ThePreStopHookRunsFirstAndCountsAgainstTheGrace() {
    Promise<Object> hook = kubelet.runtime.hang("hook PRE_STOP c");
    PodView pod = preStop(COMMAND);

    kubelet.delete(pod, 30);
    kubelet.advance(5);
    assertThat(kubelet.runtime.calls("stop")).isEmpty();
    assertThat(kubelet.report(pod).finished()).isFalse();

    hook.complete(null);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 25000");
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.status(pod).containerStatuses().get(0).state())
        .isInstanceOfSatisfying(Terminated.class, t -> assertThat(t.exitCode()).isEqualTo(143));
    assertThat(kubelet.eventLines().stream().filter(e -> e.contains("Killing")))
        .containsExactly("Normal Killing Stopping container c");
  }

  @ParameterizedTest(name = "6.3 sleep {0} s within a grace of {1} s: TERM after {2} s with {3} ms")
  @CsvSource({"3, 30, 3, 27000", "29, 30, 29, 2000", "60, 10, 10, 2000", "0, 10, 0, 10000"})
  @Tag("C33")
  void c33ASleepIsWaitedForAndTwoSecondsAreLeftAtLeast(
      long sleep, long grace, long after, long left) {
    PodView pod = preStop(new HandlerView.Sleep(sleep));
    kubelet.runtime.stubborn.add("c");

    kubelet.delete(pod, grace);
    kubelet.loop.advance(Duration.ofMillis(Math.max(0, after * 1000 - 1)));
    assertThat(kubelet.runtime.calls("stop")).hasSize(after == 0 ? 1 : 0);
    kubelet.loop.advance(Duration.ofMillis(1 + TimerWheel.TICK));
    assertThat(kubelet.runtime.calls("stop")).hasSize(1);
    String[] call = kubelet.runtime.calls("stop").get(0).split(" ", -1);
    assertThat(Long.parseLong(call[2])).isBetween(left - TimerWheel.TICK, left);
    assertThat(kubelet.runtime.hooks).isEmpty();

    kubelet.advance(30);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aPreStopHookThatHangsIsNotWaitedForBeyondTheGrace() {
    kubelet.runtime.hang("hook PRE_STOP c");
    PodView pod = preStop(COMMAND);

    kubelet.delete(pod, 10);
    kubelet.advance(11);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 2000");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  @Tag("C35")
  void c35AShorterGraceShortensTheHookToo() {
    kubelet.runtime.hang("hook PRE_STOP c");
    PodView pod = preStop(COMMAND);
    kubelet.delete(pod, 30);

    kubelet.delete(pod, 1);
    kubelet.advance(2);
    assertThat(kubelet.runtime.hooks).hasSize(1);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 2000");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aFailedPreStopHookIsToldAndTheContainerEndsAllTheSame() {
    kubelet.runtime.fail("hook PRE_STOP c", new RuntimeException("secret"));
    PodView pod = preStop(COMMAND);

    kubelet.delete(pod, 30);
    assertThat(kubelet.eventLines()).contains("Warning FailedPreStopHook PreStopHook failed");
    assertThat(kubelet.eventLines()).noneMatch(e -> e.contains("secret"));
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 30000");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aContainerThatEndsByItselfDuringItsHookIsNotStopped() {
    Promise<Object> hook = kubelet.runtime.hang("hook PRE_STOP c");
    PodView pod = preStop(COMMAND);
    kubelet.delete(pod, 30);

    kubelet.runtime.exit(pod.ref(), "c", 0);
    hook.complete(null);
    assertThat(kubelet.runtime.calls("stop")).isEmpty();
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void theHookRunsBeforeARestartForAFailedProbeToo() {
    PodView pod =
        kubelet.create(
            pod()
                .container(
                    "c", care().liveness(probe(0, 5, 1, 1)).preStop(new HandlerView.Sleep(4))));
    kubelet.runtime.probeAnswers.put("LIVENESS c", ProbeResult.failure("no"));

    kubelet.advance(6);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();

    kubelet.advance(4);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  void aContainerCountsAsStartedWhenItsPostStartHookIsDone() {
    Promise<Object> hook = kubelet.runtime.hang("hook POST_START c");
    PodView pod = postStart(COMMAND);

    kubelet.advance(3);
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ContainerCreating", null));
    assertThat(kubelet.container(pod, "c").containerId()).isNull();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);
    assertThat(kubelet.runtime.calls("start")).containsExactly("start c");

    hook.complete(null);
    assertThat(kubelet.runtime.calls("start")).containsExactly("start c", "start d");
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
  }

  @Test
  void nothingIsProbedBeforeThePostStartHookIsDone() {
    kubelet.runtime.hang("hook POST_START c");
    kubelet.create(
        pod()
            .container(
                "c",
                care().startup(probe(0, 1, 1, 1)).readiness(probe(0, 1, 1, 1)).postStart(COMMAND)));

    kubelet.advance(5);
    assertThat(kubelet.runtime.probes).isEmpty();
  }

  @Test
  void aPostStartSleepIsWaitedForWithoutTheRuntime() {
    PodView pod = postStart(new HandlerView.Sleep(3));
    kubelet.loop.advance(Duration.ofMillis(2_900));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);

    kubelet.loop.advance(Duration.ofMillis(200));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.runtime.hooks).isEmpty();
  }

  @Test
  void aFailedPostStartHookEndsTheContainerWhichIsTriedAgain() {
    RuntimeException failure = new RuntimeException("command exited with 1");
    kubelet.runtime.fail("hook POST_START c", failure);
    kubelet.runtime.fail("hook POST_START c", failure);
    PodView pod = postStart(COMMAND);
    assertThat(kubelet.eventLines())
        .contains(
            "Warning FailedPostStartHook PostStartHook failed",
            "Normal Killing FailedPostStartHook");
    assertThat(kubelet.events.stream().filter(e -> e.reason().equals("FailedPostStartHook")))
        .extracting(ObjectEvent::fieldPath)
        .containsOnly("spec.containers{c}");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Waiting.class);

    kubelet.advance(11);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(2);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aPostStartHookThatFailsBecauseItsPodIsBeingStoppedAsksForNoOtherStop() {
    Promise<Object> hook = kubelet.runtime.hang("hook POST_START c");
    PodView pod = postStart(COMMAND);
    kubelet.runtime.hang("stop c 5000");
    kubelet.delete(pod, 5);

    hook.fail("the container is going");
    assertThat(kubelet.runtime.calls("stop c")).containsExactly("stop c 5000");
  }

  @ParameterizedTest(name = "5 PostStartHookError of {0}")
  @CsvSource({"exec, Exec lifecycle hook ([cat /ok])", "http, HTTP lifecycle hook (/up)"})
  void afterAFailedPostStartHookTheWaitSaysWhy(String kind, String what) {
    Promise<Object> hook = kubelet.runtime.hang("hook POST_START c");
    HandlerView get = new HandlerView.HttpGet("HTTP", "", "80", "/up", List.of());
    PodView pod = postStart(kind.equals("exec") ? COMMAND : get);
    kubelet.runtime.hang("image img");

    hook.fail("exit 1");
    assertThat(kubelet.state(pod, "c"))
        .isEqualTo(
            new Waiting(
                "PostStartHookError",
                what + " for Container \"c\" in Pod \"p_ns(uid-p)\" failed - error: exit 1"));
    assertThat(kubelet.runtime.hooks.get(0).podIP()).isEqualTo("10.0.0.1");
  }

  @Test
  void aRuntimeWithoutHooksLeavesTheContainerRunning() {
    kubelet.runtime.fail(
        "hook POST_START c",
        new ProviderException(ProviderException.Kind.UNSUPPORTED, "Hook", "no hooks here"));

    PodView pod = postStart(COMMAND);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    assertThat(kubelet.eventLines()).contains("Warning FailedPostStartHook PostStartHook failed");
  }

  @Test
  void aPodThatIsDeletedDuringItsPostStartHookEnds() {
    kubelet.runtime.hang("hook POST_START c");
    PodView pod = postStart(COMMAND);

    kubelet.delete(pod, 5);
    kubelet.advance(1);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.calls("start")).containsExactly("start c");
  }

  @Test
  void anAdoptedContainerDoesNotRunItsPostStartHookAgain() {
    PodView pod = postStart(COMMAND);
    assertThat(kubelet.runtime.hooks).hasSize(1);

    Kubelet next = kubelet.restarted(kubelet.shown(pod));
    next.advance(2);
    assertThat(kubelet.runtime.hooks).hasSize(1);
    assertThat(next.core.get(pod.ref()).result().orElseThrow().status().phase())
        .isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aStopAfterAFailedPostStartHookIsAskedForUntilItWorks() {
    kubelet.runtime.fail("hook POST_START c", new IllegalStateException("no"));
    kubelet.runtime.fail("stop c 30000", new IllegalStateException("busy"));
    Promise<Object> hung = kubelet.runtime.hang("stop c 30000");

    PodView pod = postStart(COMMAND);
    assertThat(kubelet.runtime.calls("stop")).hasSize(1);
    assertThat(kubelet.eventLines()).contains("Warning FailedKillPod error killing pod: busy");

    kubelet.advance(15);
    assertThat(kubelet.runtime.calls("stop")).hasSize(2);
    kubelet.advance(41);
    assertThat(kubelet.runtime.calls("stop")).hasSize(3);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(hung.tryComplete()).isTrue();
  }
}
