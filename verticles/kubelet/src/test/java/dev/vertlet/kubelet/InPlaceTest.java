package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.image.ImageNames;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods whose images are changed while they run. */
class InPlaceTest {
  private Kubelet kubelet = new Kubelet();

  private PodView update(Pods pod, long generation) {
    PodView view = pod.generation(generation).build();
    Kubelet.done(kubelet.core.update(view));
    return view;
  }

  private PodView image(PodView pod, String container, String image) {
    return update(Pods.of(pod).image(container, image), pod.generation() + 1);
  }

  private static List<String> containerIds(PodStatusView status) {
    return status.containerStatuses().stream()
        .map(c -> c.containerId() + " " + c.imageId() + " " + c.image() + " " + c.restartCount())
        .toList();
  }

  @Test
  @Tag("B47")
  void b47OnlyTheContainerWhoseImageChangedIsAnotherOne() {
    PodView pod = kubelet.create(Pods.pod().sidecar("s").container("a").container("b"));
    PodStatusView before = kubelet.status(pod);
    kubelet.advance(60);

    image(pod, "a", "img:2");
    PodStatusView after = kubelet.status(pod);
    ContainerStatusView a = kubelet.container(pod, "a");
    assertThat(a.image()).isEqualTo("img:2");
    assertThat(a.imageId()).isEqualTo("id-img:2");
    assertThat(a.restartCount()).isEqualTo(1);
    assertThat(a.containerId()).isNotEqualTo(before.containerStatuses().get(0).containerId());
    assertThat(a.lastState()).isInstanceOf(Terminated.class);
    assertThat(after.containerStatuses().get(1)).isEqualTo(before.containerStatuses().get(1));
    assertThat(after.initContainerStatuses()).isEqualTo(before.initContainerStatuses());
    assertThat(after.podIPs()).isEqualTo(before.podIPs());
    assertThat(after.hostIPs()).isEqualTo(before.hostIPs());
    assertThat(after.startTime()).isEqualTo(before.startTime());
    assertThat(after.phase()).isEqualTo(PodPhase.RUNNING);
    assertThat(after.observedGeneration()).isEqualTo(2);
    for (String type : List.of("PodReadyToStartContainers", "Initialized", "PodScheduled")) {
      assertThat(Objects.requireNonNull(after.condition(type)).lastTransitionTime())
          .isEqualTo(Objects.requireNonNull(before.condition(type)).lastTransitionTime());
    }
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
  }

  @Test
  @Tag("B47")
  void b47WhileItIsReplacedThePodIsNotReadyAndWaitsForIt() {
    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));
    ContainerStatusView before = kubelet.container(pod, "a");
    Promise<Object> pull = kubelet.runtime.hang("pull a");

    image(pod, "a", "img:2");
    ContainerStatusView a = kubelet.container(pod, "a");
    assertThat(a.state()).isEqualTo(new Waiting("ContainerCreating", null));
    assertThat(a.lastState())
        .isInstanceOfSatisfying(
            Terminated.class, end -> assertThat(end.containerId()).isEqualTo(before.containerId()));
    assertThat(a.containerId()).isEqualTo(before.containerId());
    assertThat(a.imageId()).isEqualTo(before.imageId());
    assertThat(a.image()).isEqualTo(before.image());
    assertThat(a.restartCount()).isZero();
    for (String type : List.of("Ready", "ContainersReady")) {
      assertThat(kubelet.condition(pod, type).status()).isEqualTo("False");
      assertThat(kubelet.condition(pod, type).reason()).isEqualTo("ContainersNotReady");
      assertThat(kubelet.condition(pod, type).message())
          .isEqualTo("containers with unready status: [a]");
    }
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.status(pod).observedGeneration())
        .as("what runs is not of the new generation")
        .isEqualTo(1);

    kubelet.runtime.images.add("img:2");
    pull.complete("id-img:2");
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(2);
  }

  @Test
  @Tag("B47")
  void b47WhatIsNewOfTheContainerIsToldAllAtOnce() {
    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));
    List<String> told = new ArrayList<>();
    told.add(containerIds(kubelet.status(pod)).get(0));
    int reports = kubelet.reports.size();

    image(pod, "a", "img:2");
    for (var report : kubelet.reports.subList(reports, kubelet.reports.size())) {
      String now = containerIds(report.status()).get(0);
      if (!told.get(told.size() - 1).equals(now)) {
        told.add(now);
      }
    }
    assertThat(told).as("old, then new, and nothing between").hasSize(2);
  }

  @Test
  void twoImagesAreChangedTogetherAndStartInOrder() {
    PodView pod = kubelet.create(Pods.pod().container("a").container("b").grace(5));
    kubelet.runtime.stubborn.add("a");

    update(Pods.of(pod).image("a", "img:2").image("b", "img:2"), 2);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop a 5000", "stop b 5000");
    assertThat(kubelet.runtime.calls("start")).hasSize(2);

    kubelet.advance(6);
    assertThat(kubelet.runtime.calls("start").subList(2, 4)).containsExactly("start a", "start b");
    assertThat(kubelet.container(pod, "a").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "b").restartCount()).isEqualTo(1);
  }

  @Test
  void aReplacedContainerHasTwoSecondsAtLeast() {
    PodView pod = kubelet.create(Pods.pod().grace(0));

    image(pod, "c", "img:2");
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 2000");
  }

  @Test
  @Tag("B49")
  void b49AnImageThatCannotBePulledIsTriedAgainAndTheOldIdsStay() {
    PodView pod = kubelet.create(Pods.pod());
    ContainerStatusView before = kubelet.container(pod, "c");
    kubelet.runtime.chaos =
        call -> call.equals("pull c") ? FakeRuntime.Chaos.Fate.FAIL : FakeRuntime.Chaos.Fate.WORK;

    PodView bad = image(pod, "c", "bad:1");
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ErrImagePull", "chaos"));
    assertThat(kubelet.container(pod, "c").containerId()).isEqualTo(before.containerId());
    assertThat(kubelet.container(pod, "c").imageId()).isEqualTo(before.imageId());

    List<Long> pauses = new ArrayList<>();
    int pulls = kubelet.runtime.calls("pull c").size();
    long last = 0;
    for (long second = 1; second <= 1300; second++) {
      kubelet.advance(1);
      if (kubelet.runtime.calls("pull c").size() > pulls) {
        pulls++;
        pauses.add(second - last);
        last = second;
      }
    }
    assertThat(pauses).startsWith(10L, 20L, 40L, 80L, 160L, 300L, 300L);
    assertThat(((Waiting) kubelet.state(pod, "c")).reason())
        .isIn("ErrImagePull", "ImagePullBackOff");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.container(pod, "c").imageId()).isEqualTo(before.imageId());

    image(bad, "c", "img");
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.container(pod, "c").containerId()).isNotEqualTo(before.containerId());
    assertThat(kubelet.container(pod, "c").imageId()).isEqualTo(before.imageId());
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  @Tag("B50")
  void b50TheSameImageByAnotherNameIsAnotherContainer() {
    PodView pod = kubelet.create(Pods.pod());
    String before = Objects.requireNonNull(kubelet.container(pod, "c").containerId());
    kubelet.runtime.script("pull c", () -> Future.succeededFuture("id-img"));

    image(pod, "c", "mirror/img");
    assertThat(kubelet.container(pod, "c").imageId()).isEqualTo("id-img");
    assertThat(kubelet.container(pod, "c").containerId()).isNotEqualTo(before);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  @Tag("B51")
  void b51OtherLabelsAndAnnotationsReachNoRuntime() {
    PodView pod = kubelet.create(Pods.pod());
    int calls = kubelet.runtime.calls.size();

    update(Pods.of(pod).annotation("a", "b"), 1);
    assertThat(kubelet.runtime.calls).hasSize(calls);
  }

  @Test
  @Tag("B52")
  void b52AnImageThatIsSupersededIsNotStarted() {
    PodView pod = kubelet.create(Pods.pod());
    Promise<Object> pull = kubelet.runtime.hang("pull c");
    PodView second = image(pod, "c", "img:2");

    kubelet.loop.advance(Duration.ofMillis(100));
    image(second, "c", "img:3");
    kubelet.runtime.images.add("img:2");
    pull.complete("id-img:2");
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("img:3");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.runtime.calls("stop")).hasSize(1);
    assertThat(kubelet.runtime.calls("start")).hasSize(2);
  }

  @Test
  @Tag("B52")
  void b52AnImageThatIsSupersededWhileTheOldOneEndsIsNotEvenPulled() {
    PodView pod = kubelet.create(Pods.pod().grace(5));
    kubelet.runtime.stubborn.add("c");
    PodView second = image(pod, "c", "img:2");

    image(second, "c", "img:3");
    kubelet.advance(6);
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("img:3");
    assertThat(kubelet.runtime.images).doesNotContain("img:2");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  @Tag("B53")
  void b53APodThatIsDeletedMeanwhileEndsAndStartsNothing() {
    PodView pod = kubelet.create(Pods.pod().grace(5));
    kubelet.runtime.hang("pull c");
    image(pod, "c", "img:2");
    int starts = kubelet.runtime.calls("start").size();

    kubelet.delete(pod, 5);
    kubelet.advance(6);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod).terminal()).isTrue();
    assertThat(kubelet.runtime.calls("start")).hasSize(starts);
  }

  @Test
  @Tag("B55")
  void b55InAPodThatNeverRestartsItIsReplacedWithAWarning() {
    PodView pod = kubelet.create(Pods.pod().never());

    image(pod, "c", "img:2");
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("img:2");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.reports).noneMatch(r -> r.status().phase().terminal());
    assertThat(kubelet.eventLines())
        .filteredOn(line -> line.startsWith("Warning InPlaceUpdateUnsafe"))
        .hasSize(1);
  }

  @Test
  @Tag("B55")
  void b55WithoutSuchAPolicyNobodyIsWarned() {
    PodView pod = kubelet.create(Pods.pod());

    image(pod, "c", "img:2");
    assertThat(kubelet.eventLines()).noneMatch(line -> line.contains("InPlaceUpdateUnsafe"));
  }

  @Test
  @Tag("B55")
  void b55AnImageThatCannotStartLeavesSuchAPodRunning() {
    PodView pod = kubelet.create(Pods.pod().never());
    kubelet.runtime.fail("pull c", new RuntimeException("not found"));

    image(pod, "c", "bad:1");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.condition(pod, "Ready").reason()).isEqualTo("ContainersNotReady");
  }

  @Test
  @Tag("B56")
  void b56AnotherImageEndsTheBackOffOfACrashLoop() {
    PodView pod = kubelet.create(Pods.pod());
    for (int i = 0; i < 8; i++) {
      kubelet.runtime.exit(pod.ref(), "c", 1);
      kubelet.advance(300);
    }
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(20);
    assertThat(((Waiting) kubelet.state(pod, "c")).reason()).isEqualTo("CrashLoopBackOff");

    image(pod, "c", "img:2");
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("img:2");
  }

  @Test
  @Tag("B57")
  void b57AnAgentThatStartsAnewFinishesTheSwapOnce() {
    for (RestartPolicy policy : List.of(RestartPolicy.ALWAYS, RestartPolicy.NEVER)) {
      kubelet = new Kubelet();
      PodView pod = kubelet.create(Pods.pod().policy(policy));
      kubelet.runtime.hang("pull c");
      PodView wanted = image(pod, "c", "img:2");
      PodView shown = kubelet.shown(wanted);

      kubelet = kubelet.restarted(shown);
      kubelet.advance(1);
      assertThat(kubelet.container(pod, "c").image()).as(policy.name()).isEqualTo("img:2");
      assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
      assertThat(kubelet.runtime.calls("start")).hasSize(2);

      PodView again = kubelet.shown(wanted);
      kubelet = kubelet.restarted(again);
      kubelet.advance(60);
      assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
      assertThat(kubelet.runtime.calls("stop")).hasSize(1);
    }
  }

  @Test
  @Tag("B57")
  void b57AnImageThatWasChangedWhileNoAgentRanIsSwapped() {
    PodView pod = kubelet.create(Pods.pod());
    PodView shown = Pods.of(kubelet.shown(pod)).image("c", "img:2").generation(2).build();

    kubelet = kubelet.restarted(shown);
    kubelet.advance(1);
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("img:2");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  @Tag("B57")
  void b57ARuntimeThatNamesImagesInItsOwnWaySwapsNothing() {
    assertThat(ImageNames.differ("docker.io/library/nginx:latest", "x", "nginx")).isFalse();
    assertThat(ImageNames.differ("nginx:1.27", "x", "docker.io/nginx:1.27")).isFalse();
    assertThat(ImageNames.differ("sha256:abcdef", "x", "nginx:1.27")).isFalse();
    assertThat(ImageNames.differ("nginx:1.26", "x", "nginx:1.27")).isTrue();
    assertThat(ImageNames.differ("r.example:5000/a", "x", "r.example:5000/a:latest")).isFalse();
    String digest = "sha256:" + "0".repeat(64);
    assertThat(ImageNames.differ("nginx:1", "nginx@" + digest, "nginx@" + digest)).isFalse();
    assertThat(ImageNames.differ("nginx:1", "nginx@sha256:1", "nginx@" + digest)).isTrue();
  }

  @Test
  void pulledAheadTheOldContainerRunsUntilTheImageIsThere() {
    kubelet = new Kubelet(KubeletOptions.DEFAULTS.withPrePull(true));
    PodView pod = kubelet.create(Pods.pod());
    Promise<Object> pull = kubelet.runtime.hang("pull c");

    image(pod, "c", "img:2");
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    assertThat(kubelet.runtime.calls("stop")).isEmpty();

    kubelet.runtime.images.add("img:2");
    pull.complete("id-img:2");
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("img:2");
    assertThat(kubelet.runtime.calls("pull")).hasSize(2);
  }

  @Test
  void pulledAheadAnImageThatIsNotThereLeavesThePodReady() {
    kubelet = new Kubelet(KubeletOptions.DEFAULTS.withPrePull(true));
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.fail("pull c", new RuntimeException("not found"));

    PodView bad = image(pod, "c", "bad:1");
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("img");
    assertThat(kubelet.eventLines()).contains("Warning Failed Error: ErrImagePull");

    image(bad, "c", "img");
    kubelet.advance(60);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(3);
  }
}
