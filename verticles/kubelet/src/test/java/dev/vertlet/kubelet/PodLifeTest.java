package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.Pods;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PodLifeTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  void runsAPodAndEndsItOnDeletion() {
    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("True");
    assertThat(kubelet.status(pod).podIPs()).containsExactly("10.0.0.1");

    kubelet.delete(pod, 30);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.end(pod, "a").exitCode()).isEqualTo(143);
    assertThat(kubelet.status(pod).podIPs()).containsExactly("10.0.0.1");
    assertThat(kubelet.runtime.pods).isEmpty();
    assertThat(kubelet.core.list().result()).isEmpty();
    kubelet.advance(100);
    assertThat(kubelet.loop.timers()).as("relist and health").isEqualTo(2);
  }

  @Test
  void completesAJobAndReleasesItsSandbox() {
    PodView pod = kubelet.create(Pods.pod().never());

    kubelet.advance(5);
    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.pods).isEmpty();
    assertThat(kubelet.condition(pod, "Ready").reason()).isEqualTo("PodCompleted");

    int before = kubelet.reports.size();
    kubelet.delete(pod, 30);
    assertThat(kubelet.reports).hasSize(before + 1);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  @Tag("C67")
  void c67AdoptsARunningPodWithoutAnyChange() {
    PodView pod = kubelet.create(Pods.pod().init("i").container("a").container("b"));
    kubelet.runtime.exit(pod.ref(), "i", 0);
    kubelet.runtime.exit(pod.ref(), "a", 1);
    kubelet.advance(90);
    assertThat(kubelet.container(pod, "a").restartCount()).isEqualTo(1);
    PodView shown = kubelet.shown(pod);

    Kubelet restarted = kubelet.restarted(shown);
    restarted.advance(300);
    assertThat(restarted.reports).hasSize(1);
    assertThat(restarted.status(pod)).isEqualTo(shown.status());
    assertThat(restarted.state(pod, "b")).isInstanceOf(Running.class);
    assertThat(restarted.runtime.calls("start")).hasSize(4);
  }

  @Test
  @Tag("C74")
  void c74DoesNotRunASucceededPodAgain() {
    PodView pod = kubelet.create(Pods.pod().never());
    kubelet.runtime.exit(pod.ref(), "c", 0);
    PodView shown = kubelet.shown(pod);

    Kubelet restarted = kubelet.restartedEmpty();
    Kubelet.done(restarted.core.create(shown));
    restarted.advance(300);
    assertThat(restarted.reports).hasSize(1);
    assertThat(restarted.report(pod).finished()).isTrue();
    assertThat(restarted.status(pod)).isEqualTo(shown.status());
    assertThat(restarted.runtime.calls("start")).isEmpty();
  }
}
