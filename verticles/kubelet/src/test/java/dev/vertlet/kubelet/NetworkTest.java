package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kubelet §11.1: a network that is not ready holds up the pods that need one, and no others. */
class NetworkTest {
  private static final String COMPLAINT =
      "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady"
          + " message:no plugin";

  private final Kubelet kubelet = new Kubelet();

  @BeforeEach
  void theNodeIsServed() {
    kubelet.core.nodes().health("node-1");
  }

  private void lose() {
    kubelet.runtime.network = () -> Future.failedFuture(new RuntimeException("no plugin"));
    kubelet.advance(5);
  }

  private void recover() {
    kubelet.runtime.network = Future::succeededFuture;
    kubelet.advance(7);
  }

  private List<ObjectEvent> told(PodView pod) {
    return kubelet.events.stream()
        .filter(event -> event.uid().equals(pod.uid()) && event.reason().equals("NetworkNotReady"))
        .toList();
  }

  @Test
  void aPodWithItsOwnNetworkWaitsForItAndSaysSo() {
    lose();

    PodView pod = kubelet.create(Pods.pod());
    kubelet.advance(3);

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);
    assertThat(kubelet.runtime.calls).noneMatch(call -> call.startsWith("sandbox"));
    assertThat(told(pod)).as("tried anew each 1 s to 1.5 s").hasSizeBetween(3, 4);
    assertThat(told(pod).get(0).type()).isEqualTo(ObjectEvent.WARNING);
    assertThat(told(pod).get(0).message()).isEqualTo("network is not ready: " + COMPLAINT);

    recover();

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    int events = told(pod).size();
    kubelet.advance(60);
    assertThat(told(pod)).hasSize(events);
  }

  @Test
  void aPodOnTheNodesNetworkNeedsNone() {
    lose();

    PodView pod = kubelet.create(Pods.pod().hostNetwork());

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(told(pod)).isEmpty();
  }

  @Test
  void whatRunsGoesOnAndWhatEndedIsNotStartedAgain() {
    PodView quiet = kubelet.create(Pods.pod("quiet"));
    PodView crashing = kubelet.create(Pods.pod("crashing"));
    lose();

    kubelet.runtime.exit(crashing.ref(), "c", 1);
    kubelet.advance(30);

    assertThat(kubelet.phase(quiet)).isEqualTo(PodPhase.RUNNING);
    assertThat(told(quiet)).isEmpty();
    assertThat(told(crashing)).isNotEmpty();
    assertThat(kubelet.runtime.running(crashing.ref())).isZero();

    recover();

    assertThat(kubelet.runtime.running(crashing.ref())).isOne();
  }

  @Test
  void aPodThatWaitsForItCanBeDeleted() {
    lose();
    PodView pod = kubelet.create(Pods.pod());

    kubelet.delete(pod, 30);

    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.pods).isEmpty();
  }

  @Test
  void theNodeSaysWhyItIsNotReady() {
    lose();

    assertThat(kubelet.core.nodes().health("node-1"))
        .isEqualTo(new NodeHealth(false, COMPLAINT, List.of()));

    recover();

    assertThat(kubelet.core.nodes().health("node-1")).isEqualTo(NodeHealth.HEALTHY);
  }

  @Test
  void aReasonOfTheRuntimeIsShown() {
    kubelet.runtime.network =
        () ->
            Future.failedFuture(
                new ProviderException(
                    ProviderException.Kind.TEMPORARY, "NoRoutes", "routes are missing"));
    kubelet.advance(5);

    assertThat(kubelet.core.nodes().health("node-1").message())
        .endsWith("NetworkReady=false reason:NoRoutes message:routes are missing");
  }

  @Test
  void anAnswerThatDoesNotComeChangesNothingAndIsNotAskedForTwice() {
    lose();
    Promise<Void> hung = Promise.promise();
    kubelet.runtime.network = hung::future;
    kubelet.advance(5);
    kubelet.runtime.network =
        () -> {
          throw new AssertionError("asked again");
        };
    kubelet.advance(20);

    assertThat(kubelet.core.nodes().health("node-1").message()).isEqualTo(COMPLAINT);

    hung.complete();

    assertThat(kubelet.core.nodes().health("node-1")).isEqualTo(NodeHealth.HEALTHY);
  }
}
