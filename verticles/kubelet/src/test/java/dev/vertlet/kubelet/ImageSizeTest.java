package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.testing.Pods;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the event of a pull says of the image. */
class ImageSizeTest {
  private static final String PULLED =
      "Normal Pulled Successfully pulled image \"img\" in 0s (0s including waiting).";

  private final Kubelet kubelet = new Kubelet();

  private List<String> events() {
    return kubelet.eventLines();
  }

  @Test
  void aSizeThatTheRuntimeKnowsIsTold() {
    kubelet.runtime.imageSizes = Map.of("img", 4711L);

    kubelet.create(Pods.pod());

    assertThat(events())
        .containsExactly(
            "Normal Pulling Pulling image \"img\"",
            PULLED + " Image size: 4711 bytes.",
            "Normal Created Container created",
            "Normal Started Container started");
  }

  @Test
  void aSizeThatNobodyKnowsIsLeftOut() {
    kubelet.runtime.imageSizes = Map.of();

    kubelet.create(Pods.pod());

    assertThat(events()).contains(PULLED);
  }

  @Test
  void anImageWhoseSizeCannotBeHadIsUsedAllTheSame() {
    kubelet.runtime.imageSizes = Map.of("img", 4711L);
    kubelet.runtime.fail("size id-img", new IllegalStateException("busy"));

    PodView pod = kubelet.create(Pods.pod());

    assertThat(events()).contains(PULLED);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void aSizeThatComesLateIsToldBeforeTheStartAndIsNoPartOfThePull() {
    kubelet.runtime.imageSizes = Map.of("img", 4711L);
    Promise<Object> size = kubelet.runtime.hang("size id-img");
    PodView pod = kubelet.create(Pods.pod());
    kubelet.advance(3);
    assertThat(kubelet.runtime.calls("start")).isEmpty();

    size.complete(4712L);

    assertThat(events().subList(1, 4))
        .containsExactly(
            PULLED + " Image size: 4712 bytes.",
            "Normal Created Container created",
            "Normal Started Container started");
    assertThat(kubelet.runtime.running(pod.ref())).isEqualTo(1);
  }

  @Test
  void aPodThatIsDeletedMeanwhileIsNotStarted() {
    kubelet.runtime.imageSizes = Map.of("img", 4711L);
    Promise<Object> size = kubelet.runtime.hang("size id-img");
    PodView pod = kubelet.create(Pods.pod());
    kubelet.delete(pod, 1);
    kubelet.advance(5);

    size.complete(4711L);

    assertThat(kubelet.runtime.calls("start")).isEmpty();
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void wherePodEventsAreNotWrittenNobodyAsks() {
    Kubelet fast = Kubelet.fast();
    fast.runtime.imageSizes = Map.of("img", 4711L);

    PodView pod = fast.create(Pods.pod());

    assertThat(fast.runtime.calls("size")).isEmpty();
    assertThat(fast.runtime.running(pod.ref())).isEqualTo(1);
  }
}
