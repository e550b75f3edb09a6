package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spec §10: the agent takes its pods along, as a kubelet whose machine goes down. */
class DrainTest {
  private static final String MESSAGE = "Pod was terminated in response to imminent node shutdown.";

  private final Kubelet kubelet = new Kubelet();

  @Test
  void allPodsFailWithTheKubeletsWordsAndTheNodeIsNotReady() {
    kubelet.core.nodes().observed(new Nodes("n").has("pods", "110").build());
    List<String> told = new ArrayList<>();
    kubelet.core.nodes().health("n");
    kubelet.core.nodes().onChange(told::add);
    PodView quick = kubelet.create(Pods.pod("quick"));
    PodView done = kubelet.create(Pods.pod("done").never());
    kubelet.runtime.exit(done.ref(), "c", 0);
    PodView slow = kubelet.create(Pods.pod("slow").container("s").grace(3));
    PodView slower = kubelet.create(Pods.pod("slower").container("s").grace(300));
    kubelet.runtime.stubborn.add("s");

    Future<Void> drained = kubelet.core.drain(Duration.ofSeconds(7));
    assertThat(told).containsExactly("n");
    NodeHealth health = kubelet.core.nodes().health("n");
    assertThat(health.ready()).isFalse();
    assertThat(health.message()).isEqualTo("node is shutting down");
    assertThat(kubelet.runtime.calls("stop"))
        .containsExactlyInAnyOrder("stop c 7000", "stop s 3000", "stop s 7000");
    PodView late = kubelet.create(Pods.pod("late"));
    assertThat(kubelet.status(late).reason()).isEqualTo("NodeShutdown");
    assertThat(kubelet.status(late).message())
        .isEqualTo("Pod was rejected: Pod was rejected as the node is shutting down.");
    kubelet.advance(6);
    assertThat(drained.isComplete()).isFalse();

    kubelet.advance(2);
    assertThat(drained.succeeded()).isTrue();
    for (PodView pod : List.of(quick, slow, slower)) {
      assertThat(kubelet.report(pod).finished()).isTrue();
      assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
      assertThat(kubelet.status(pod).reason()).isEqualTo("Terminated");
      assertThat(kubelet.status(pod).message()).isEqualTo(MESSAGE);
      assertThat(kubelet.condition(pod, "Ready").status()).isEqualTo("False");
      assertThat(kubelet.condition(pod, "DisruptionTarget").reason())
          .isEqualTo("TerminationByKubelet");
    }
    assertThat(kubelet.phase(done)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(kubelet.status(done).reason()).isNull();
    assertThat(kubelet.eventLines()).noneMatch(line -> line.contains("Terminated"));
  }

  @Test
  void aPodThatDoesNotEndIsNotWaitedForBeyondTheLimit() {
    kubelet.create(Pods.pod());
    kubelet.runtime.chaos = call -> FakeRuntime.Chaos.Fate.HANG;

    Future<Void> drained = kubelet.core.drain(Duration.ofSeconds(7));

    kubelet.advance(6);
    assertThat(drained.isComplete()).isFalse();
    kubelet.advance(1);
    assertThat(drained.succeeded()).isTrue();
  }
}
