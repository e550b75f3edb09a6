package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.MountsView.Mount;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.testing.Pods;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mounts in statuses, and the order of these. */
class MountStatusTest {
  private final Kubelet kubelet = new Kubelet();

  private static ContainerView mounting(String name) {
    return new ContainerView(name, "img", "IfNotPresent", null)
        .withMounts(new MountsView(name, List.of(new Mount("data", "/data", true, false))));
  }

  private List<Mount> shown(PodView pod, String container) {
    return kubelet.container(pod, container).mounts().mounts();
  }

  @Test
  void containersShowTheirMountsBeforeTheyRunWhileTheyRunAndAfterwards() {
    kubelet.runtime.hang("pull c");
    PodView pod =
        kubelet.create(
            Pods.pod()
                .never()
                .init(mounting("i"))
                .container(mounting("c"))
                .ephemeral(mounting("e")));
    List<Mount> mounts = List.of(new Mount("data", "/data", true, false));
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Waiting.class);
    assertThat(shown(pod, "c")).isEqualTo(mounts);
    assertThat(shown(pod, "i")).isEqualTo(mounts);
    assertThat(shown(pod, "e")).isEqualTo(mounts);

    kubelet.runtime.exit(pod.ref(), "i", 1);

    assertThat(shown(pod, "i")).isEqualTo(mounts);
    assertThat(shown(pod, "c")).isEqualTo(mounts);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void statusesOfRegularAndEphemeralContainersAreSortedByName() {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .sidecar("z")
                .sidecar("y")
                .container("b")
                .container("a")
                .ephemeral("f")
                .ephemeral("e"));

    assertThat(kubelet.status(pod).initContainerStatuses())
        .extracting(ContainerStatusView::name)
        .containsExactly("z", "y");
    assertThat(kubelet.status(pod).containerStatuses())
        .extracting(ContainerStatusView::name)
        .containsExactly("a", "b");
    assertThat(kubelet.status(pod).ephemeralContainerStatuses())
        .extracting(ContainerStatusView::name)
        .containsExactly("e", "f");
  }
}
