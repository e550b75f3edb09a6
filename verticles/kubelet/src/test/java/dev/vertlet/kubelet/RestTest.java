package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.Pods;
import io.vertx.core.Promise;
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
  void anotherImageIsSwappedInAsForAnyPod() {
    PodView pod = settled(Pods.pod().container("a").container("b").generation(1));
    ContainerStatusView before = kubelet.container(pod, "b");

    PodView next = Pods.of(pod).image("a", "img:2").generation(2).build();
    Kubelet.done(kubelet.core.update(next));
    kubelet.advance(1);

    ContainerStatusView a = kubelet.container(pod, "a");
    assertThat(a.image()).isEqualTo("img:2");
    assertThat(a.restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "b")).isEqualTo(before);
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(2);
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
    kubelet.core.settled(kubelet.shown(next));
    assertThat(rests(pod)).as("one with a history stays awake").isFalse();
  }

  @Test
  void anotherImageIsShownAsSeenOnlyOnceItRuns() {
    PodView pod = settled(Pods.pod().container("a").container("b").generation(1));
    Promise<Object> pull = kubelet.runtime.hang("pull a");

    PodView next = Pods.of(pod).image("a", "img:2").generation(2).build();
    Kubelet.done(kubelet.core.update(next));
    kubelet.core.settled(kubelet.shown(next));

    assertThat(rests(pod)).isFalse();
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(1);
    pull.complete();
  }

  @Test
  void oneThatIsResizedRestsAgainWithWhatItWasGranted() {
    node("4");
    PodView pod = settled(sized("a", "1"));
    ContainerStatusView before = kubelet.container(pod, "c");
    assertThat(rests(pod)).isTrue();

    PodView next = Pods.of(pod).resources("c", "2", "100Mi").generation(2).build();
    Kubelet.done(kubelet.core.update(next));

    assertThat(kubelet.runtime.calls("resize")).containsExactly("resize c cpu 2 memory 100Mi");
    ContainerStatusView after = kubelet.container(pod, "c");
    assertThat(after.allocatedResources()).containsEntry("cpu", "2");
    assertThat(after.containerId()).isEqualTo(before.containerId());
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(2);
    kubelet.core.settled(kubelet.shown(next));
    assertThat(rests(pod)).isTrue();
    assertThat(kubelet.counts.resizing).containsOnly(0);
  }

  @Test
  void oneThatIsBeingResizedStaysAwake() {
    node("4");
    PodView pod = settled(sized("a", "1"));
    Promise<Object> resize = kubelet.runtime.hang("resize c cpu 2 memory 100Mi");
    PodView next = Pods.of(pod).resources("c", "2", "100Mi").generation(2).build();

    Kubelet.done(kubelet.core.update(next));
    kubelet.core.settled(kubelet.shown(next));
    assertThat(rests(pod)).isFalse();

    resize.complete();
    kubelet.core.settled(kubelet.shown(next));
    assertThat(rests(pod)).isTrue();
  }

  @Test
  void aResizeWaitsForWhatThoseThatRestHaveUntilTheyGo() {
    node("4");
    PodView small = settled(sized("a", "1"));
    PodView large = settled(sized("b", "3"));
    PodView next = Pods.of(small).resources("c", "2", "100Mi").generation(2).build();

    Kubelet.done(kubelet.core.update(next));
    kubelet.core.settled(kubelet.shown(next));

    assertThat(kubelet.condition(next, "PodResizePending").reason()).isEqualTo("Deferred");
    assertThat(rests(small)).as("one that waits stays awake").isFalse();
    assertThat(rests(large)).isTrue();

    kubelet.delete(large, 1);
    kubelet.advance(2);

    assertThat(kubelet.status(next).condition("PodResizePending")).isNull();
    assertThat(kubelet.container(next, "c").allocatedResources()).containsEntry("cpu", "2");
  }

  @Test
  void aNodeThatIsReleasedAndAdoptedAgainHasAllOfIt() {
    node("4");
    PodView pod = settled(sized("a", "3"));

    kubelet.core.nodes().forget(pod.nodeName());
    Kubelet.done(kubelet.core.release(pod.nodeName()));
    node("4");
    PodView other = kubelet.create(sized("b", "3"));

    assertThat(kubelet.phase(other)).isEqualTo(PodPhase.RUNNING);
  }

  private void node(String cpu) {
    kubelet
        .core
        .nodes()
        .observed(new Nodes("n").has("cpu", cpu).has("memory", "8Gi").has("pods", "110").build());
  }

  private static Pods sized(String name, String cpu) {
    return Pods.pod(name).grace(1).container("c").resources("c", cpu, "100Mi").generation(1);
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
  void inProfileKubeletPodsRestToo() {
    Kubelet other = new Kubelet();
    other.runtime.rests = true;
    PodView pod = other.create(Pods.pod());
    List<String> events = other.eventLines();
    other.core.settled(other.shown(pod));
    assertThat(other.runtime.resting).hasSize(1);
    other.advance(600);
    assertThat(other.eventLines()).isEqualTo(events);

    other.delete(pod, 5);
    other.advance(6);

    assertThat(other.eventLines()).hasSize(events.size() + 1).last().asString().contains("Killing");
    assertThat(other.report(pod).finished()).isTrue();
  }
}
