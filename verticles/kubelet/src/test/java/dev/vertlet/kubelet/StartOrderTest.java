package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.testing.Pods;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StartOrderTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  @Tag("C28")
  void c28StartsInitContainersThenTheSidecarThenTheRest() {
    PodView pod = kubelet.create(Pods.pod().init("a").sidecar("s").init("b").container("c"));
    assertThat(kubelet.runtime.calls("start")).containsExactly("start a");
    assertThat(kubelet.condition(pod, "Initialized").message())
        .isEqualTo("containers with incomplete status: [a s b]");

    kubelet.runtime.exit(pod.ref(), "a", 0);
    assertThat(kubelet.runtime.calls("start")).containsExactly("start a", "start s", "start b");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);

    kubelet.runtime.exit(pod.ref(), "b", 0);
    assertThat(kubelet.runtime.calls("start"))
        .containsExactly("start a", "start s", "start b", "start c");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.condition(pod, "Initialized").status()).isEqualTo("True");
  }

  @Test
  @Tag("C28")
  void c28WaitsUntilTheSidecarHasStarted() {
    PodView pod = Pods.pod().sidecar("s").container("c").build();
    Promise<Object> answer = kubelet.runtime.hang("start s");
    Kubelet.done(kubelet.core.create(pod));

    answer.complete(notStarted(pod));
    assertThat(kubelet.runtime.calls("start")).containsExactly("start s");
    assertThat(kubelet.container(pod, "s").started()).isFalse();

    kubelet.runtime.health(pod.ref(), "s", true, true);
    assertThat(kubelet.runtime.calls("start")).containsExactly("start s", "start c");
    assertThat(kubelet.container(pod, "s").ready()).isTrue();
  }

  /** The answer says at once that the runtime's own start-up check has not passed. */
  private Object notStarted(PodView pod) {
    kubelet.runtime.silent = true;
    kubelet.runtime.makeContainer(pod, pod.spec().initContainers().get(0), 0, "id");
    Object record = kubelet.runtime.health(pod.ref(), "s", false, false);
    kubelet.runtime.silent = false;
    return record;
  }

  @Test
  void aContainerThatTakesItsTimeToStartIsNotStartedTwice() {
    Promise<Object> start = kubelet.runtime.hang("start c");
    PodView pod = kubelet.create(Pods.pod());
    ContainerRecord made =
        new ContainerRecord(
            "fake://slow", "c", 0, "img", "id", new Waiting(null, null), null, null);

    kubelet.runtime.say(pod.ref(), made);
    start.complete(made);
    kubelet.advance(100);
    assertThat(kubelet.runtime.calls("start")).hasSize(1);
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ContainerCreating", null));

    kubelet.runtime.say(
        pod.ref(),
        new ContainerRecord("fake://slow", "c", 0, "img", "id", new Running(null), null, null));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void startsRegularContainersInTheOrderOfTheSpecEvenIfOnePullIsSlow() {
    Promise<Object> pull = kubelet.runtime.hang("pull a");
    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));
    assertThat(kubelet.runtime.calls("start")).isEmpty();

    pull.complete("id-img");
    assertThat(kubelet.runtime.calls("start")).containsExactly("start a", "start b");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aContainerThatCannotStartDoesNotKeepTheNextFromStarting() {
    kubelet.runtime.fail("pull a", new RuntimeException("no route"));

    PodView pod = kubelet.create(Pods.pod().container("a", "x").container("b", "y"));
    assertThat(kubelet.runtime.calls("start")).containsExactly("start b");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);
  }

  @Test
  @Tag("C08")
  void c08AnInitContainerThatFailedForGoodFailsThePod() {
    PodView pod = kubelet.create(Pods.pod().never().init("i").sidecar("s").container("c"));

    kubelet.runtime.exit(pod.ref(), "i", 3);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("PodInitializing", null));
    assertThat(kubelet.condition(pod, "Ready").reason()).isEqualTo("PodFailed");
    assertThat(kubelet.condition(pod, "Initialized").status()).isEqualTo("False");
  }

  @Test
  void anInitContainerThatFailedIsRestarted() {
    PodView pod = kubelet.create(Pods.pod().init("i").container("c"));

    kubelet.runtime.exit(pod.ref(), "i", 3);
    assertThat(kubelet.runtime.calls("start")).containsExactly("start i", "start i");
    assertThat(kubelet.container(pod, "i").restartCount()).isEqualTo(1);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);
  }

  @Test
  void aSidecarThatEndsIsRestartedEvenIfThePodNeverRestarts() {
    PodView pod = kubelet.create(Pods.pod().never().sidecar("s").container("c"));

    kubelet.runtime.exit(pod.ref(), "s", 0);
    assertThat(kubelet.container(pod, "s").restartCount()).isEqualTo(1);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  @Tag("C10")
  void c10SidecarsAreStoppedOnceTheRegularContainersAreDone() {
    PodView pod = kubelet.create(Pods.pod().never().sidecar("s1").sidecar("s2").container("c"));

    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop s2 30000", "stop s1 30000");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  @Tag("C32")
  void c32AnEphemeralContainerIsStartedOnceAndChangesNoPhase() {
    PodView pod = kubelet.create(Pods.pod().container("c"));

    Kubelet.done(kubelet.core.update(Pods.of(pod).ephemeral("debug").generation(2).build()));
    assertThat(kubelet.state(pod, "debug")).isInstanceOf(Running.class);
    assertThat(kubelet.container(pod, "debug").started()).isNull();
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(2);

    kubelet.runtime.exit(pod.ref(), "debug", 1);
    kubelet.advance(600);
    assertThat(kubelet.runtime.calls("start debug")).hasSize(1);
    assertThat(kubelet.state(pod, "debug")).isInstanceOf(Terminated.class);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  @Tag("C32")
  void c32AnEphemeralContainerStartsBeforeInitIsOver() {
    PodView pod = kubelet.create(Pods.pod().init("i").container("c"));

    Kubelet.done(kubelet.core.update(Pods.of(pod).ephemeral("debug").build()));
    assertThat(kubelet.runtime.calls("start")).containsExactly("start i", "start debug");
  }

  @Test
  void aFailedSandboxIsRetriedAfterAPause() {
    kubelet.runtime.fail("sandbox p", new RuntimeException("no addresses left"));
    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.eventLines())
        .containsExactly(
            "Warning FailedCreatePodSandBox Failed to create pod sandbox: no addresses left");
    assertThat(kubelet.condition(pod, "PodReadyToStartContainers").status()).isEqualTo("False");
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ContainerCreating", null));

    kubelet.advance(9);
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
    kubelet.advance(7);
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(2);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aLostSandboxIsMadeAgainAndInitRunsAgain() {
    PodView pod = kubelet.create(Pods.pod().init("i").container("c"));
    kubelet.runtime.exit(pod.ref(), "i", 0);
    assertThat(kubelet.status(pod).podIPs()).containsExactly("10.0.0.1");

    kubelet.runtime.loseSandbox(pod.ref());
    assertThat(kubelet.runtime.calls("start")).containsExactly("start i", "start c", "start i");
    assertThat(kubelet.status(pod).podIPs()).containsExactly("10.0.0.2");
    assertThat(kubelet.container(pod, "i").restartCount()).isEqualTo(1);
    assertThat(kubelet.eventLines())
        .contains("Normal SandboxChanged Pod sandbox changed, it will be killed and re-created.");

    kubelet.runtime.exit(pod.ref(), "i", 0);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.lastEnd(pod, "c").reason()).isEqualTo("ContainerStatusUnknown");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  void aPodThatNeverRestartsFailsWithItsSandbox() {
    PodView pod = kubelet.create(Pods.pod().never().container("a").container("b"));

    kubelet.runtime.loseSandbox(pod.ref());
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
  }

  @Test
  void aPodThatNeverRestartsFailsWithItsSandboxDuringInit() {
    PodView pod = kubelet.create(Pods.pod().never().sidecar("s").init("i").container("a"));

    kubelet.runtime.loseSandbox(pod.ref());
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
  }

  @Test
  @Tag("C19")
  void c19AHungCallOfOnePodDelaysNoOther() {
    Promise<Object> sandbox = kubelet.runtime.hang("sandbox p1");
    Promise<Object> start = kubelet.runtime.hang("start c2");
    PodView first = kubelet.create(Pods.pod("p1"));
    kubelet.create(Pods.pod("p2").container("c2"));

    PodView third = kubelet.create(Pods.pod("p3").container("c3"));
    assertThat(kubelet.phase(third)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.phase(first)).isEqualTo(PodPhase.PENDING);

    sandbox.complete(new SandboxRecord("late", 0, List.of("10.9.9.9")));
    assertThat(kubelet.status(first).podIPs()).containsExactly("10.9.9.9");
    assertThat(start.future().isComplete()).isFalse();
  }

  @Test
  void aChangedImageReplacesThatContainerAlone() {
    PodView pod = kubelet.create(Pods.pod().never().container("a").container("b"));

    Kubelet.done(kubelet.core.update(Pods.of(pod).image("a", "img:2").generation(2).build()));
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop a 30000");
    assertThat(kubelet.container(pod, "a").image()).isEqualTo("img:2");
    assertThat(kubelet.container(pod, "a").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "b").restartCount()).isZero();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.eventLines())
        .contains("Normal Killing Container a definition changed, will be restarted");
    assertThat(kubelet.reports).noneMatch(r -> r.status().phase().terminal());
  }

  @Test
  void aChangedImageEndsThePauseOfABrokenOne() {
    kubelet.runtime.fail("pull c", new RuntimeException("not found"));
    PodView pod = kubelet.create(Pods.pod().container("c", "wrong"));
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ErrImagePull", "not found"));

    Kubelet.done(kubelet.core.update(Pods.of(pod).image("c", "right").build()));
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
  }

  @Test
  void aChangedImageDoesNotWaitForTheHungPullOfTheOldOne() {
    Promise<Object> old = kubelet.runtime.hang("pull c");
    PodView pod = kubelet.create(Pods.pod().container("c", "old"));

    Kubelet.done(kubelet.core.update(Pods.of(pod).image("c", "new").build()));
    old.complete("id-old");
    assertThat(kubelet.container(pod, "c").imageId()).isEqualTo("id-new");
    assertThat(kubelet.runtime.calls("start")).hasSize(1);
  }

  @Test
  void anImageChangedDuringTheStartReplacesTheInstance() {
    Promise<Object> start = kubelet.runtime.hang("start c");
    PodView pod = kubelet.create(Pods.pod().container("c", "old"));
    Kubelet.done(kubelet.core.update(Pods.of(pod).image("c", "new").build()));

    start.complete(kubelet.runtime.makeContainer(pod, pod.spec().containers().get(0), 0, "id-old"));
    assertThat(kubelet.container(pod, "c").image()).isEqualTo("new");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.runtime.violations).isEmpty();
  }

  @Test
  void aReplacementThatCannotBeStoppedIsTriedAgain() {
    PodView pod = kubelet.create(Pods.pod().sidecar("s").container("a"));
    kubelet.runtime.fail("stop a 30000", new RuntimeException("busy"));

    Kubelet.done(kubelet.core.update(Pods.of(pod).image("a", "img:2").build()));
    kubelet.advance(9);
    assertThat(kubelet.runtime.calls("stop")).hasSize(1);
    kubelet.advance(7);
    assertThat(kubelet.runtime.calls("stop")).hasSize(2);
    assertThat(kubelet.container(pod, "a").image()).isEqualTo("img:2");
  }
}
