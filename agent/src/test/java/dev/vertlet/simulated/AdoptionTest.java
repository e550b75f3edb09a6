package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static dev.vertlet.simulated.Pods.pod;
import static dev.vertlet.simulated.Pods.statusOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.ContainerStatusView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.RuntimePod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdoptionTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Lab before = Lab.with();

  @Test
  void aRunningPodIsTheSameAfterwards() {
    ContainerRecord started = before.run(pod("a").view());
    RuntimePod known = get(before.runtime.list()).get(0);
    before.time.jump(Duration.ofMinutes(5));
    Lab after = before.restarted();

    Optional<RuntimePod> restored =
        get(after.runtime.restore(running(pod("a"), started, "10.0.0.2")));

    assertThat(restored).contains(known);
    assertThat(after.heard).isEmpty();
    assertThat(get(after.runtime.list())).containsExactly(known);
  }

  @Test
  void restoringAgainAnswersTheSame() {
    ContainerRecord started = before.run(pod("a").view());
    PodView view = running(pod("a"), started, "10.0.0.2");
    Lab after = before.restarted();

    assertThat(get(after.runtime.restore(view))).isEqualTo(get(after.runtime.restore(view)));
  }

  @Test
  void itsAddressIsNotHandedOutAgain() {
    ContainerRecord started = before.run(pod("a").view());
    Lab after = before.restarted();

    get(after.runtime.restore(running(pod("a"), started, "10.0.0.3")));
    get(after.runtime.restore(running(pod("b"), started, "192.0.2.200")));
    List<String> fresh = get(after.runtime.runSandbox(pod("c").view(), 0)).ips();
    for (int i = 0; i < 251; i++) {
      fresh = get(after.runtime.runSandbox(pod("more-" + i).view(), 0)).ips();
      assertThat(fresh).doesNotContain("10.0.0.3");
    }

    assertThat(after.runtime.runSandbox(pod("full").view(), 0).failed()).isTrue();
    get(after.runtime.removeSandbox(pod("a").view().ref()));
    assertThat(get(after.runtime.runSandbox(pod("full").view(), 0)).ips())
        .containsExactly("10.0.0.3");
  }

  @Test
  void anAddressIsSafeFromTheMomentItsPodIsRestored() {
    ContainerRecord started = before.run(pod("a").view());
    Lab after = before.restarted();
    get(after.runtime.runSandbox(pod("first").view(), 0));

    get(after.runtime.restore(running(pod("a"), started, "10.0.0.3")));

    assertThat(get(after.runtime.runSandbox(pod("b").view(), 0)).ips()).containsExactly("10.0.0.4");
  }

  @Test
  void anAddressHeldTwiceIsFreeOnceBothPodsAreGone() {
    ContainerRecord started = before.run(pod("a").view());
    Lab after = before.restarted();
    get(after.runtime.runSandbox(pod("hasty").view(), 0));
    get(after.runtime.restore(running(pod("a"), started, "10.0.0.2")));

    get(after.runtime.removeSandbox(pod("hasty").view().ref()));
    for (int i = 0; i < 252; i++) {
      assertThat(get(after.runtime.runSandbox(pod("more-" + i).view(), 0)).ips())
          .doesNotContain("10.0.0.2");
    }
    get(after.runtime.removeSandbox(pod("a").view().ref()));

    assertThat(get(after.runtime.runSandbox(pod("last").view(), 0)).ips())
        .containsExactly("10.0.0.2");
  }

  @Test
  void aRunTimeGoesOnAcrossTheRestart() {
    ContainerRecord started = before.run(pod("a").annotate("run-for", "60s").view());
    before.time.jump(Duration.ofSeconds(20));
    Lab after = before.restarted();
    get(after.runtime.restore(running(pod("a").annotate("run-for", "60s"), started, "10.0.0.2")));

    after.time.advance(Duration.ofMillis(39_999));
    assertThat(after.heard).isEmpty();
    after.time.advance(Duration.ofMillis(1));

    assertThat(after.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(60));
    assertThat(after.last().id()).isEqualTo(started.id());
    assertThat(after.runtime.startCount()).isZero();
  }

  @Test
  void whatEndedMeanwhileEndedWhenItWasDue() {
    Pods pod = pod("a").annotate("run-for", "60s").annotate("exit-code", "5");
    ContainerRecord started = before.run(pod.view());
    before.time.jump(Duration.ofHours(1));
    Lab after = before.restarted();

    RuntimePod restored =
        get(after.runtime.restore(running(pod, started, "10.0.0.2"))).orElseThrow();

    assertThat(restored.containers())
        .singleElement()
        .extracting(ContainerRecord::state)
        .isEqualTo(
            new ContainerStateView.Terminated(
                5, 0, "Error", null, FakeTime.START, FakeTime.START.plusSeconds(60), started.id()));
    after.time.advance(Duration.ofHours(1));
    assertThat(after.heard).isEmpty();
  }

  @Test
  void aRandomRunTimeIsDrawnAgain() {
    Pods pod = pod("a").annotate("run-for", "exponential(10m)");
    Lab undisturbed = Lab.with();
    undisturbed.run(pod.view());
    undisturbed.time.advance(Duration.ofDays(1));
    ContainerRecord started = before.run(pod.view());
    Lab after = before.restarted();

    get(after.runtime.restore(running(pod, started, "10.0.0.2")));
    after.time.advance(Duration.ofDays(1));

    assertThat(after.lastEnd()).isEqualTo(undisturbed.lastEnd());
  }

  @Test
  void readinessNeverFlips() {
    Pods pod = pod("a").annotate("ready-delay", "60s");
    ContainerRecord started = before.run(pod.view());
    Lab after = before.restarted();

    RuntimePod ready = get(after.runtime.restore(ready(pod, started))).orElseThrow();

    assertThat(ready.containers()).singleElement().matches(r -> Boolean.TRUE.equals(r.ready()));
  }

  @Test
  void readinessComesWhenItWasDue() {
    Pods pod = pod("a").annotate("ready-delay", "60s");
    ContainerRecord started = before.run(pod.view());
    before.time.jump(Duration.ofSeconds(59));
    Lab after = before.restarted();
    get(after.runtime.restore(running(pod, started, "10.0.0.2")));

    after.time.advance(Duration.ofSeconds(1));

    assertThat(after.last().ready()).isTrue();
  }

  @Test
  void aContainerInBackOffIsItsLastInstance() {
    ContainerStateView.Terminated last = ended("simulated://last");
    ContainerStatusView status =
        new ContainerStatusView(
            "main",
            Pods.IMAGE,
            "id",
            "simulated://last",
            3,
            false,
            false,
            new ContainerStateView.Waiting("CrashLoopBackOff", "back-off"),
            last);

    RuntimePod restored =
        get(before.runtime.restore(
                pod("a").status(PodPhase.RUNNING, List.of("10.0.0.2"), status).view()))
            .orElseThrow();

    assertThat(restored.containers())
        .containsExactly(
            new ContainerRecord("simulated://last", "main", 3, Pods.IMAGE, "id", last, null, null));
  }

  @Test
  void theInstanceBeforeComesAlong() {
    ContainerRecord second = record("simulated://second", 4);
    PodView view =
        pod("a")
            .status(
                PodPhase.RUNNING,
                List.of("10.0.0.2"),
                statusOf(second, true, ended("simulated://first")))
            .view();

    RuntimePod restored = get(before.runtime.restore(view)).orElseThrow();

    assertThat(restored.containers())
        .extracting(r -> r.id() + " " + r.attempt())
        .containsExactly("simulated://second 4", "simulated://first 3");
  }

  @Test
  void anAdoptedContainerStopsAndRestartsLikeAnyOther() {
    Pods pod = pod("a").annotate("stop-delay", "3s");
    ContainerRecord started = before.run(pod.view());
    Lab after = before.restarted();
    PodView view = running(pod, started, "10.0.0.2");
    get(after.runtime.restore(view));

    var stopped = after.runtime.stopContainer(view.ref(), started.id(), GRACE);
    after.time.advance(Duration.ofSeconds(3));
    ContainerRecord next = after.start(view, "main", 1);

    assertThat(stopped.succeeded()).isTrue();
    assertThat(next.attempt()).isEqualTo(1);
    assertThat(next.running()).isTrue();
  }

  @Test
  void imagesOfAdoptedPodsArePresent() {
    ContainerRecord started = before.run(pod("a").view());
    Lab after = before.restarted();

    get(after.runtime.restore(running(pod("a"), started, "10.0.0.2")));

    assertThat(get(after.runtime.imageId("node-1", Pods.IMAGE))).isPresent();
  }

  @Test
  void thereIsNothingOfPodsThatHaveNotBegunOrAreOver() {
    ContainerRecord started = before.run(pod("a").view());
    Lab after = before.restarted();

    assertThat(get(after.runtime.restore(pod("new").view()))).isEmpty();
    assertThat(
            get(
                after.runtime.restore(
                    pod("over")
                        .status(
                            PodPhase.SUCCEEDED, List.of("10.0.0.2"), statusOf(started, false, null))
                        .view())))
        .isEmpty();
    assertThat(get(after.runtime.list())).isEmpty();
    assertThat(get(after.runtime.runSandbox(pod("b").view(), 0)).ips()).containsExactly("10.0.0.2");
  }

  /** So that nobody finds two pods of one address: that of one that is over is still shown. */
  @Test
  void addressesOfPodsThatAreOverComeLastAfterARestart() {
    ContainerRecord started = before.run(pod("a").view());
    before.run(pod("b").view());
    Lab after = before.restarted();
    for (String ip : List.of("10.0.0.2", "10.0.0.3")) {
      Pods over =
          pod("over" + ip).status(PodPhase.SUCCEEDED, List.of(ip), statusOf(started, false, null));
      after.runtime.ended(over.view());
    }

    assertThat(get(after.runtime.runSandbox(pod("c").view(), 0)).ips()).containsExactly("10.0.0.4");
    assertThat(get(after.runtime.list())).hasSize(1);
  }

  @Test
  void aPodOnTheHostsNetworkShowsByItsContainers() {
    ContainerRecord started = before.run(pod("a").onHostNetwork().view());
    Lab after = before.restarted();
    Pods begun = pod("a").onHostNetwork();
    Pods fresh = pod("b").onHostNetwork().status(PodPhase.PENDING, List.of("192.0.2.1"));

    assertThat(get(after.runtime.restore(running(begun, started, "192.0.2.1"))))
        .hasValueSatisfying(found -> assertThat(found.sandbox()).isNotNull());
    assertThat(get(after.runtime.restore(fresh.view()))).isEmpty();
  }

  private static PodView running(Pods pod, ContainerRecord record, String ip) {
    return pod.status(PodPhase.RUNNING, List.of(ip), statusOf(record, false, null)).view();
  }

  private static PodView ready(Pods pod, ContainerRecord record) {
    return pod.status(PodPhase.RUNNING, List.of("10.0.0.2"), statusOf(record, true, null)).view();
  }

  private static ContainerRecord record(String id, int attempt) {
    return new ContainerRecord(
        id,
        "main",
        attempt,
        Pods.IMAGE,
        "id",
        new ContainerStateView.Running(FakeTime.START),
        null,
        null);
  }

  private static ContainerStateView.Terminated ended(String id) {
    return new ContainerStateView.Terminated(
        1, 0, "Error", null, FakeTime.START, FakeTime.START, id);
  }
}
