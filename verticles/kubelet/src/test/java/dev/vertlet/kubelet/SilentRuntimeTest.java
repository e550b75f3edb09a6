package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spec §11.1: a runtime that says nothing any more. */
class SilentRuntimeTest {
  private static final String PLEG =
      "PLEG is not healthy: pleg was last seen active 3m5s ago; threshold is 3m0s";

  private final Kubelet kubelet = new Kubelet();
  private final List<String> changes = new ArrayList<>();

  private NodeHealth health() {
    return kubelet.core.nodes().health("n");
  }

  @Test
  @Tag("C55")
  void c55ARuntimeThatListsNothingForThreeMinutesMakesItsNodesNotReadyAndRecovers() {
    assertThat(health().ready()).isTrue();
    kubelet.core.nodes().onChange(changes::add);
    PodView pod = kubelet.create(Pods.pod());
    kubelet.advance(60);
    kubelet.runtime.chaos =
        call -> call.equals("list") ? FakeRuntime.Chaos.Fate.HANG : FakeRuntime.Chaos.Fate.WORK;

    kubelet.advance(184);
    assertThat(health().ready()).isTrue();
    kubelet.advance(1);
    assertThat(health().ready()).isFalse();
    assertThat(health().message()).isEqualTo(PLEG);
    assertThat(changes).containsExactly("n");
    assertThat(kubelet.core.nodes().ping("n").succeeded()).as("the lease goes on").isTrue();

    kubelet.runtime.fail("status", new IllegalStateException("no socket"));
    kubelet.advance(5);
    assertThat(health().message()).isEqualTo("[no socket, " + PLEG + "]");
    kubelet.runtime.chaos = call -> FakeRuntime.Chaos.Fate.WORK;
    kubelet.advance(65);
    assertThat(health().ready()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();
  }

  @Test
  @Tag("C55")
  void c55ARuntimeThatAnswersNothingAtAllIsDownBeforeThat() {
    assertThat(health().ready()).isTrue();
    kubelet.runtime.chaos = call -> FakeRuntime.Chaos.Fate.HANG;
    kubelet.runtime.script("status", () -> Future.failedFuture("gone"));

    kubelet.advance(5);

    assertThat(health().message()).isEqualTo("gone");
  }
}
