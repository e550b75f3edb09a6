package dev.vertlet.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestTest {
  private final Kubelet kubelet = Kubelet.fast();

  RestTest() {
    kubelet.runtime.rests = true;
  }

  /** A pod that runs, as the API server shows it. */
  private PodView settled(Pods pod) {
    PodView view = kubelet.create(pod);
    PodView shown = kubelet.shown(view);
    kubelet.core.settled(shown);
    return shown;
  }

  private boolean rests(PodView pod) {
    return kubelet.runtime.resting.containsKey(pod.uid());
  }

  @Test
  void aPodRestsOnceTheApiServerShowsAllThatIsKnownOfIt() {
    PodView view = kubelet.create(Pods.pod());
    kubelet.core.settled(view);
    assertThat(rests(view)).isFalse();

    kubelet.core.settled(kubelet.shown(view));

    assertThat(rests(view)).isTrue();
    assertThat(kubelet.counts.now()).containsExactly(1, 1, 0);
  }

  @Test
  void nothingIsReportedAndNothingIsAskedForWhileItRests() {
    settled(Pods.pod());
    int calls = kubelet.runtime.calls("list").size();

    kubelet.advance(600);

    assertThat(kubelet.reports).hasSize(1);
    assertThat(kubelet.runtime.calls("start")).hasSize(1);
    assertThat(kubelet.runtime.calls("list").size()).isGreaterThan(calls);
    assertThat(kubelet.runtime.resting).hasSize(1);
  }

  @Test
  void whatIsToldOfItIsWhatWasReported() {
    PodView pod = settled(Pods.pod());
    PodReport reported = kubelet.report(pod);

    assertThat(kubelet.core.get(pod.ref()).result()).contains(reported);
    assertThat(kubelet.core.list().result()).containsExactly(reported);
    assertThat(rests(pod)).isTrue();
  }

  @Test
  void aContainerThatEndsWakesItAndIsStartedAgain() {
    PodView pod = settled(Pods.pod());

    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(30);

    assertThat(rests(pod)).isFalse();
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "c").lastState()).isInstanceOf(Terminated.class);
    assertThat(kubelet.status(pod).startTime()).isEqualTo(pod.status().startTime());
    kubelet.core.settled(kubelet.shown(pod));
    assertThat(rests(pod)).as("one with a history stays awake").isFalse();
  }

  @Test
  void aLostSandboxIsMadeAgain() {
    PodView pod = settled(Pods.pod());

    kubelet.runtime.loseSandbox(pod.ref());
    kubelet.advance(30);

    assertThat(kubelet.runtime.calls("sandbox")).hasSize(2);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  void itEndsAsAnyPod() {
    PodView pod = settled(Pods.pod());

    kubelet.delete(pod, 5);
    kubelet.advance(6);

    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.core.list().result()).isEmpty();
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void itIsKilledAsAnyPod() {
    PodView pod = settled(Pods.pod());

    Kubelet.done(kubelet.core.kill(pod.ref()));
    kubelet.advance(3);

    assertThat(kubelet.runtime.pods).isEmpty();
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void anUpdateWakesItAndItRestsAgainByTheNewDefinition() {
    PodView pod = settled(Pods.pod());

    Kubelet.done(kubelet.core.update(pod));
    assertThat(rests(pod)).isFalse();
    kubelet.core.settled(pod);

    assertThat(rests(pod)).isTrue();
    assertThat(kubelet.reports).hasSize(1);
  }

  @Test
  void oneThatWasWokenRestsAgainWhenItIsNextLookedAt() {
    PodView pod = settled(Pods.pod());
    Kubelet.done(kubelet.core.update(pod));

    kubelet.advance(100);

    assertThat(rests(pod)).isTrue();
    assertThat(kubelet.reports).hasSize(1);
  }

  @Test
  void aStatusThatSomebodyElseWroteWakesIt() {
    PodView pod = settled(Pods.pod());

    kubelet.core.settled(pod.withStatus(Pods.pod().build().status()));

    assertThat(rests(pod)).isFalse();
    assertThat(kubelet.core.get(pod.ref()).result())
        .hasValueSatisfying(
            report -> assertThat(report.status().phase()).isEqualTo(PodPhase.RUNNING));
  }

  @Test
  void aNodeThatIsReleasedTakesItAlong() {
    PodView pod = settled(Pods.pod());

    Kubelet.done(kubelet.core.release(pod.nodeName()));

    assertThat(kubelet.core.list().result()).isEmpty();
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void aShutdownEndsIt() {
    PodView pod = settled(Pods.pod());

    kubelet.core.drain(Duration.ofSeconds(10));
    kubelet.advance(2);

    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aRuntimeThatCannotLetItRestIsLeftAlone() {
    kubelet.runtime.rests = false;
    PodView pod = settled(Pods.pod());

    assertThat(rests(pod)).isFalse();
    kubelet.runtime.exit(pod.ref(), "c", 1);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  void onlyTheFastProfileLetsPodsRest() {
    Kubelet other = new Kubelet();
    other.runtime.rests = true;
    PodView pod = other.create(Pods.pod());

    other.core.settled(other.shown(pod));

    assertThat(other.runtime.resting).isEmpty();
    assertThat(List.of(other.phase(pod))).containsExactly(PodPhase.RUNNING);
  }
}
