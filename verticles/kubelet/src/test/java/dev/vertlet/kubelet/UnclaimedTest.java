package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.testing.Pods;
import org.junit.jupiter.api.Test;

/** Pods that the runtime has and nobody asked for, or nobody knows any more. */
class UnclaimedTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  void whatTheRuntimeHasAndTheCoreDoesNotKnowIsToldWithEachRelist() {
    PodView pod = kubelet.create(Pods.pod());
    Kubelet.done(kubelet.core.release("n"));
    assertThat(kubelet.unclaimed).isEmpty();

    kubelet.advance(61);
    assertThat(kubelet.unclaimed).extracting(PodReport::pod).containsExactly(pod.ref());
    assertThat(kubelet.unclaimed.get(0).node()).isEqualTo("n");
    Kubelet.done(kubelet.core.kill(pod.ref()));
    kubelet.advance(61);

    assertThat(kubelet.unclaimed).hasSize(1);
    assertThat(kubelet.runtime.pods).isEmpty();
  }

  @Test
  void aPodThatTheCoreKnowsIsNot() {
    kubelet.create(Pods.pod());

    kubelet.advance(200);

    assertThat(kubelet.unclaimed).isEmpty();
  }
}
