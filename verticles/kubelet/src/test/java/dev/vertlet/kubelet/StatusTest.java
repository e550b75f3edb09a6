package dev.vertlet.kubelet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Pods;
import dev.vertlet.testing.Statuses;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StatusTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  @Tag("C15")
  void c15AHostNetworkPodHasTheNodesAddress() {
    PodView pod = kubelet.create(Pods.pod().hostNetwork());
    assertThat(kubelet.status(pod).podIPs()).containsExactly("192.168.0.1");
    assertThat(kubelet.status(pod).hostIP()).isEqualTo("192.168.0.1");

    kubelet.delete(pod, 1);
    assertThat(kubelet.status(pod).podIPs()).containsExactly("192.168.0.1");
  }

  @Test
  @Tag("C15")
  void c15ANodeWithTwoFamiliesShowsBothOnItsPods() {
    kubelet.hostIPs = List.of("192.168.0.1", "fd00::1");
    PodView pod = kubelet.create(Pods.pod("own"));
    PodView host = kubelet.create(Pods.pod("host").hostNetwork());

    assertThat(kubelet.status(pod).hostIPs()).containsExactly("192.168.0.1", "fd00::1");
    assertThat(kubelet.status(host).hostIPs()).containsExactly("192.168.0.1", "fd00::1");
    assertThat(kubelet.status(host).podIPs()).containsExactly("192.168.0.1", "fd00::1");
    int reports = kubelet.reports.size();
    kubelet.advance(600);
    assertThat(kubelet.reports).hasSize(reports);
  }

  @Test
  @Tag("C16")
  void c16AQuietPodIsReportedOnce() {
    PodView pod = kubelet.create(Pods.pod());
    int reports = kubelet.reports.size();

    kubelet.advance(600);
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.loop.timers()).as("relist, health and one for all pods").isEqualTo(3);
  }

  /** {@code StatusEntryTest} tests that they are written one after the other. */
  @Test
  void eachStateOfAContainerIsReportedHoweverShortItIs() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 1);

    assertThat(kubelet.reports.stream().map(report -> state(report.status())).distinct().toList())
        .startsWith("Waiting 0", "Running 0", "Terminated 0", "Running 1");
  }

  private static String state(PodStatusView status) {
    ContainerStatusView shown = status.containerStatuses().get(0);
    return requireNonNull(shown.state()).getClass().getSimpleName() + " " + shown.restartCount();
  }

  @Test
  void showsARunningPodAsAKubeletDoes() {
    kubelet.loop.advance(Duration.ofMillis(1234));

    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));
    Instant now = Instant.parse("2026-01-01T00:00:01Z");
    assertThat(kubelet.status(pod).startTime()).isEqualTo(now);
    assertThat(kubelet.status(pod).conditions())
        .containsExactly(
            new ConditionView("PodReadyToStartContainers", "True", null, null, now, 1L),
            new ConditionView("Initialized", "True", null, null, now, 1L),
            new ConditionView("Ready", "True", null, null, now, 1L),
            new ConditionView("ContainersReady", "True", null, null, now, 1L),
            new ConditionView("PodScheduled", "True", null, null, now, 1L));
    ContainerStatusView a = kubelet.status(pod).containerStatuses().get(0);
    assertThat(a)
        .isEqualTo(
            new ContainerStatusView(
                "a",
                "img",
                "id-img",
                a.containerId(),
                0,
                true,
                true,
                new Running(now),
                null,
                Map.of(),
                ResourcesView.NONE));
    assertThat(a.containerId()).startsWith("fake://");
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(1);
  }

  @Test
  void keepsTheSchedulersTimeOfPodScheduled() {
    Instant scheduled = Instant.parse("2025-12-31T23:59:50Z");
    Pods pods = Pods.pod();
    PodView bare = pods.build();
    PodView pod =
        Pods.of(bare)
            .status(
                Statuses.in(PodPhase.PENDING)
                    .conditions(
                        List.of(
                            new ConditionView("PodScheduled", "True", null, null, scheduled, 1L)))
                    .build())
            .build();

    Kubelet.done(kubelet.core.create(pod));
    assertThat(kubelet.condition(pod, "PodScheduled").lastTransitionTime()).isEqualTo(scheduled);
  }

  @Test
  void aConditionsTimeMovesOnlyWithItsStatus() {
    PodView pod = kubelet.create(Pods.pod());
    Instant ready = kubelet.loop.instant();
    kubelet.advance(5);

    kubelet.runtime.health(pod.ref(), "c", true, false);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("False");
    assertThat(kubelet.condition(pod, "Ready").lastTransitionTime())
        .isEqualTo(ready.plusSeconds(5));
    assertThat(kubelet.condition(pod, "Initialized").lastTransitionTime()).isEqualTo(ready);
    assertThat(kubelet.container(pod, "c").ready()).isFalse();
    assertThat(kubelet.container(pod, "c").started()).isTrue();
  }

  @Test
  void aContainerThatHasNotStartedIsNotReady() {
    PodView pod = kubelet.create(Pods.pod());

    kubelet.runtime.health(pod.ref(), "c", false, true);
    assertThat(kubelet.container(pod, "c").started()).isFalse();
    assertThat(kubelet.container(pod, "c").ready()).isFalse();
  }

  @Test
  void aNewGenerationIsObserved() {
    PodView pod = kubelet.create(Pods.pod());

    Kubelet.done(kubelet.core.update(Pods.of(pod).generation(3).build()));
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(3);
    assertThat(kubelet.status(pod).conditions())
        .allSatisfy(c -> assertThat(c.observedGeneration()).isEqualTo(3));

    Kubelet.done(kubelet.core.update(Pods.of(pod).generation(2).build()));
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(3);
  }

  @Test
  void aServerWithoutGenerationsGetsNone() {
    PodView pod = kubelet.create(Pods.pod().generation(0));
    assertThat(kubelet.status(pod).observedGeneration()).isNull();
    assertThat(kubelet.condition(pod, "Ready").observedGeneration()).isNull();
  }

  @Test
  @Tag("C29")
  void c29AMissingReadinessGateKeepsThePodUnready() {
    PodView pod = kubelet.create(Pods.pod().gate("example.com/x").gate("example.com/y"));
    assertThat(kubelet.condition(pod, "ContainersReady").status()).isEqualTo("True");
    assertThat(kubelet.condition(pod, "Ready").reason()).isEqualTo("ReadinessGatesNotReady");
    assertThat(kubelet.condition(pod, "Ready").message())
        .isEqualTo(
            "corresponding condition of pod readiness gate \"example.com/x\" does not exist.,"
                + " corresponding condition of pod readiness gate \"example.com/y\" does not"
                + " exist.");

    PodView half =
        Pods.of(pod).condition("example.com/x", "True").condition("example.com/y", "False").build();
    Kubelet.done(kubelet.core.update(half));
    assertThat(kubelet.condition(pod, "Ready").message())
        .isEqualTo("the status of pod readiness gate \"example.com/y\" is not \"True\", but False");

    Kubelet.done(kubelet.core.update(Pods.of(half).condition("example.com/y", "True").build()));
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
  }

  @Test
  void aLongTerminationMessageIsCut() {
    PodView pod = kubelet.create(Pods.pod().never().container("a").container("b"));

    kubelet.runtime.exitSaying(pod.ref(), "a", "x".repeat(20_000));
    assertThat(kubelet.end(pod, "a").message()).hasSize(12 * 1024 / 2);
  }

  @Test
  void aClosedPodOfManyPartsTellsAllThatIsKnown() {
    PodView pod = kubelet.create(Pods.pod().init("i").sidecar("s").container("c"));

    kubelet.runtime.hang("sandbox p");
    kubelet.runtime.exit(pod.ref(), "i", 0);
    kubelet.runtime.fail("pull c", new RuntimeException("x"));
    kubelet.delete(pod, 1);
    assertThat(kubelet.end(pod, "i").exitCode()).isZero();
    assertThat(kubelet.state(pod, "s")).isInstanceOf(Terminated.class);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Terminated.class);
    assertThat(kubelet.condition(pod, "PodReadyToStartContainers").status()).isEqualTo("False");
  }

  @Test
  void aPodThatSomebodyElseEndedKeepsTheirWords() {
    PodView pod = kubelet.create(Pods.pod());
    PodView collected =
        Pods.of(kubelet.shown(pod))
            .status(Statuses.in(PodPhase.FAILED).why("Terminated", "node went away").build())
            .build();
    kubelet.runtime.termExit = 0;

    Kubelet.done(kubelet.core.update(collected));
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(pod).reason()).isEqualTo("Terminated");
    assertThat(kubelet.status(pod).message()).isEqualTo("node went away");
    assertThat(kubelet.condition(pod, "Ready").reason()).isEqualTo("PodFailed");
  }

  @Test
  void theFastProfileTellsOnlyWhatSomebodyWaitsFor() {
    Kubelet fast = Kubelet.fast();
    Promise<Object> pull = fast.runtime.hang("pull c");
    PodView pod = fast.create(Pods.pod());
    assertThat(fast.reports).isEmpty();
    assertThat(fast.core.get(pod.ref()).result()).isPresent();

    pull.complete("id");
    assertThat(fast.reports).hasSize(1);
    assertThat(fast.condition(pod, "Ready").status()).isEqualTo("True");

    fast.runtime.stubborn.add("c");
    fast.delete(pod, 5);
    assertThat(fast.reports).hasSize(1);

    fast.advance(6);
    assertThat(fast.reports).hasSize(2);
    assertThat(fast.report(pod).finished()).isTrue();
    assertThat(fast.events).isEmpty();
  }

  @Test
  void theFastProfileTellsTrouble() {
    Kubelet fast = Kubelet.fast();
    fast.runtime.fail("pull c", new RuntimeException("no"));

    PodView pod = fast.create(Pods.pod());
    assertThat(fast.reports).hasSize(1);

    fast.advance(11);
    fast.runtime.fail("stop c 30000", new RuntimeException("busy"));
    fast.delete(pod, 30);
    assertThat(fast.report(pod).finished()).isFalse();
    assertThat(fast.status(pod).phase()).isEqualTo(PodPhase.RUNNING);

    fast.advance(16);
    assertThat(fast.report(pod).finished()).isTrue();
  }

  @Test
  void theFastProfileTellsContainersThatWaitForAGate() {
    Kubelet fast = Kubelet.fast();

    PodView pod = fast.create(Pods.pod().init("i").gate("g"));
    assertThat(fast.reports).isEmpty();
    fast.runtime.exit(pod.ref(), "i", 0);
    assertThat(fast.condition(pod, "ContainersReady").status()).isEqualTo("True");
  }
}
