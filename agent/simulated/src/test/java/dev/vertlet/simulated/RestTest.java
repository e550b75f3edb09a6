package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.node.NodeUsage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestTest {
  private final Lab lab = Lab.with();

  private PodView running(String name) {
    return running(Pods.pod(name));
  }

  /** A pod that runs, with the status that the API server shows of it. */
  private PodView running(Pods pod) {
    PodView view = pod.view();
    ContainerRecord record = lab.run(view);
    List<String> ips = lab.sandbox(view).ips();
    return pod.status(PodPhase.RUNNING, ips, Pods.statusOf(record, true, null)).view();
  }

  private PodView resting() {
    PodView pod = running("a");
    assertThat(lab.runtime.rest(pod)).isTrue();
    return pod;
  }

  @Test
  void aPodThatRestsIsTheSameWhenItIsWoken() {
    PodView pod = running("a");
    RuntimePod before = lab.restore(pod).orElseThrow();

    assertThat(lab.runtime.rest(pod)).isTrue();
    assertThat(lab.pods()).isEmpty();
    assertThat(lab.runtime.podCount()).isEqualTo(1);

    assertThat(lab.runtime.wake(pod)).isEqualTo(before);
    assertThat(lab.pods()).containsExactly(before);
  }

  @Test
  void itIsMeasuredAsBefore() {
    PodView pod = running("a");
    lab.time.advance(Duration.ofSeconds(90));
    NodeUsage before = get(lab.runtime.stats(pod.nodeName()));

    lab.runtime.rest(pod);

    assertThat(get(lab.runtime.stats(pod.nodeName()))).isEqualTo(before);
  }

  @Test
  void itsAddressStaysItsOwn() {
    PodView pod = resting();

    PodView other = running("b");

    assertThat(other.status().podIPs()).isNotEqualTo(pod.status().podIPs());
  }

  @Test
  void itStopsAndGoesAsAnyPod() {
    PodView pod = resting();
    String id = pod.status().containerStatuses().get(0).containerId();

    get(lab.runtime.stopContainer(pod.ref(), String.valueOf(id), Duration.ofSeconds(30)));
    assertThat(lab.lastEnd().exitCode()).isZero();
    lab.remove(pod);

    assertThat(lab.runtime.podCount()).isZero();
  }

  @Test
  void aSandboxThatIsLostIsToldAndNotMadeAgain() {
    PodView pod = resting();

    lab.runtime.loseSandbox(pod.ref());

    assertThat(lab.lost).containsExactly(pod.ref());
    assertThat(lab.runtime.wake(pod).containers()).hasSize(1);
    assertThat(lab.runtime.podCount()).isZero();
  }

  @Test
  void itIsResizedAsAnyPodAndRestsAgain() {
    PodView pod = running("a");
    ContainerRecord before = lab.last();
    lab.runtime.rest(pod);
    Map<String, String> amounts = Map.of("memory", "1Gi");
    ContainerView container =
        Pods.container(before.name()).withResources(new ResourcesView(amounts, amounts));

    get(lab.runtime.updateResources(pod, container, before.id()));

    assertThat(lab.restore(pod).orElseThrow().containers()).containsExactly(before);
    assertThat(lab.runtime.rest(pod)).isTrue();
  }

  @Test
  void aNodeThatIsReleasedTakesItAlong() {
    PodView pod = resting();

    get(lab.runtime.release(pod.nodeName()));

    assertThat(lab.runtime.podCount()).isZero();
  }

  @Test
  void oneThatARuleSaysSomethingOfStaysAwake() {
    for (String rule : List.of("run-for", "stop-delay")) {
      PodView pod = running(Pods.pod(rule).annotate(rule, "30s"));

      assertThat(lab.runtime.rest(pod)).as(rule).isFalse();
    }
  }

  @Test
  void oneWhoseStatusSaysSomethingElseStaysAwake() {
    PodView pod = running("a");

    assertThat(lab.runtime.rest(Pods.pod("a").view())).isFalse();
    assertThat(lab.runtime.rest(pod)).isTrue();
  }
}
