package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static dev.vertlet.simulated.Pods.pod;
import static dev.vertlet.simulated.Pods.statusOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdoptionTest {
  private final Lab before = Lab.with();

  @SuppressWarnings("NullAway.Init") // set by what begins each test
  private ContainerRecord started;

  private Lab after = before;

  /** Runs a pod, and begins anew after that time without it. */
  private void runAndRestart(Pods pod, Duration down) {
    started = before.run(pod.view());
    before.time.jump(down);
    after = before.restarted();
  }

  /** The same, and restores the pod. */
  private RuntimePod adopt(Pods pod, Duration down) {
    runAndRestart(pod, down);
    return after.restore(running(pod, "10.0.0.2")).orElseThrow();
  }

  private List<String> ips(String pod) {
    return after.sandbox(pod(pod).view()).ips();
  }

  @Test
  void aRunningPodIsTheSameAfterwards() {
    before.run(pod("a").view());
    RuntimePod known = before.pods().get(0);

    assertThat(adopt(pod("a"), Duration.ofMinutes(5))).isEqualTo(known);

    assertThat(after.heard).isEmpty();
    assertThat(after.pods()).containsExactly(known);
    assertThat(after.restore(running(pod("a"), "10.0.0.2"))).contains(known);
    assertThat(get(after.runtime.imageId("node-1", Pods.IMAGE))).isPresent();
  }

  @Test
  void aContainerRunsAsTheUserThatItsPodNamesAlsoAfterwards() {
    ContainerUserView user = new ContainerUserView(1000, 3000, List.of(2000L, 3000L));
    Pods pod = pod("a").container(Pods.container("main").withUser(user));

    assertThat(adopt(pod, Duration.ofMinutes(5)).containers())
        .extracting(ContainerRecord::user)
        .containsExactly(user);
    assertThat(started.user()).isEqualTo(user);
  }

  @Test
  void itsAddressIsNotHandedOutAgain() {
    runAndRestart(pod("a"), Duration.ZERO);
    after.restore(running(pod("a"), "10.0.0.3"));
    after.restore(running(pod("b"), "192.0.2.200"));

    for (int i = 0; i < 252; i++) {
      assertThat(ips("more-" + i)).doesNotContain("10.0.0.3");
    }

    assertThat(after.runtime.runSandbox(pod("full").view(), 0).failed()).isTrue();
    after.remove(pod("a").view());
    assertThat(ips("full")).containsExactly("10.0.0.3");
  }

  @Test
  void anAddressIsSafeFromTheMomentItsPodIsRestored() {
    runAndRestart(pod("a"), Duration.ZERO);
    after.sandbox(pod("first").view());
    after.restore(running(pod("a"), "10.0.0.3"));

    assertThat(ips("b")).containsExactly("10.0.0.4");
  }

  @Test
  void anAddressHeldTwiceIsFreeOnceBothPodsAreGone() {
    runAndRestart(pod("a"), Duration.ZERO);
    after.sandbox(pod("hasty").view());
    after.restore(running(pod("a"), "10.0.0.2"));
    after.remove(pod("hasty").view());

    for (int i = 0; i < 252; i++) {
      assertThat(ips("more-" + i)).doesNotContain("10.0.0.2");
    }
    after.remove(pod("a").view());
    assertThat(ips("last")).containsExactly("10.0.0.2");
  }

  @Test
  void aRunTimeGoesOnAcrossTheRestart() {
    adopt(pod("a").annotate("run-for", "60s"), Duration.ofSeconds(20));

    after.time.advance(Duration.ofMillis(39_999));
    assertThat(after.heard).isEmpty();
    after.time.advance(Duration.ofMillis(1));

    assertThat(after.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(60));
    assertThat(after.last().id()).isEqualTo(started.id());
    assertThat(after.runtime.startCount()).isZero();
  }

  @Test
  void whatEndedMeanwhileEndedWhenItWasDue() {
    RuntimePod restored =
        adopt(pod("a").annotate("run-for", "60s", "exit-code", "5"), Duration.ofHours(1));

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

    adopt(pod, Duration.ZERO);
    after.time.advance(Duration.ofDays(1));

    assertThat(after.lastEnd()).isEqualTo(undisturbed.lastEnd());
  }

  @Test
  void readinessNeverFlips() {
    Pods pod = pod("a").annotate("ready-delay", "60s");
    runAndRestart(pod, Duration.ZERO);
    PodView ready =
        pod.status(PodPhase.RUNNING, List.of("10.0.0.2"), statusOf(started, true, null)).view();

    assertThat(after.restore(ready).orElseThrow().containers())
        .singleElement()
        .matches(r -> Boolean.TRUE.equals(r.ready()));
  }

  @Test
  void readinessComesWhenItWasDue() {
    adopt(pod("a").annotate("ready-delay", "60s"), Duration.ofSeconds(59));

    after.time.advance(Duration.ofSeconds(1));

    assertThat(after.last().ready()).isTrue();
  }

  /** What a new process makes of a pod that has this one status. */
  private List<ContainerRecord> containersOf(ContainerStatusView status) {
    PodView shown = pod("a").status(PodPhase.RUNNING, List.of("10.0.0.2"), status).view();
    return before.restore(shown).orElseThrow().containers();
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

    assertThat(containersOf(status))
        .containsExactly(
            new ContainerRecord("simulated://last", "main", 3, Pods.IMAGE, "id", last, null, null));
  }

  @Test
  void theInstanceBeforeComesAlong() {
    ContainerStateView running = new ContainerStateView.Running(FakeTime.START);
    ContainerRecord second =
        new ContainerRecord("simulated://second", "main", 4, Pods.IMAGE, "id", running, null, null);

    assertThat(containersOf(statusOf(second, true, ended("simulated://first"))))
        .extracting(r -> r.id() + " " + r.attempt())
        .containsExactly("simulated://second 4", "simulated://first 3");
  }

  @Test
  void anAdoptedContainerStopsAndRestartsLikeAnyOther() {
    Pods pod = pod("a").annotate("stop-delay", "3s");
    adopt(pod, Duration.ZERO);

    var stopped = after.stop(pod.view(), Duration.ofSeconds(30));
    after.time.advance(Duration.ofSeconds(3));
    ContainerRecord next = after.start(pod.view(), "main", 1);

    assertThat(stopped.succeeded()).isTrue();
    assertThat(next.attempt()).isEqualTo(1);
    assertThat(next.running()).isTrue();
  }

  @Test
  void thereIsNothingOfPodsThatHaveNotBegunOrAreOver() {
    runAndRestart(pod("a"), Duration.ZERO);
    ContainerStatusView status = statusOf(started, false, null);
    Pods over = pod("over").status(PodPhase.SUCCEEDED, List.of("10.0.0.2"), status);

    assertThat(after.restore(pod("new").view())).isEmpty();
    assertThat(after.restore(over.view())).isEmpty();

    assertThat(after.pods()).isEmpty();
    assertThat(ips("b")).containsExactly("10.0.0.2");
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
    runAndRestart(pod("a").onHostNetwork(), Duration.ZERO);
    Pods fresh = pod("b").onHostNetwork().status(PodPhase.PENDING, List.of("192.0.2.1"));

    assertThat(after.restore(running(pod("a").onHostNetwork(), "192.0.2.1")))
        .hasValueSatisfying(found -> assertThat(found.sandbox()).isNotNull());
    assertThat(after.restore(fresh.view())).isEmpty();
  }

  /** As the API server shows the pod that was started. */
  private PodView running(Pods pod, String ip) {
    return pod.status(PodPhase.RUNNING, List.of(ip), statusOf(started, false, null)).view();
  }

  private static ContainerStateView.Terminated ended(String id) {
    return new ContainerStateView.Terminated(
        1, 0, "Error", null, FakeTime.START, FakeTime.START, id);
  }
}
