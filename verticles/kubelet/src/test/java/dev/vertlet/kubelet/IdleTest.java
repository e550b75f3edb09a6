package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.testing.Pods;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is done for pods that only are there. */
class IdleTest {
  private static final int PODS = 10_000;

  private final Kubelet kubelet = new Kubelet();

  private List<PodView> createPods() {
    return IntStream.range(0, PODS)
        .mapToObj(i -> kubelet.create(Pods.pod("p" + i).never()))
        .toList();
  }

  /** What the runtime was asked for, beyond what it has. */
  private List<String> orders() {
    return kubelet.runtime.calls.stream().filter(call -> !call.equals("list")).toList();
  }

  @Test
  @Tag("C62")
  void c62TenThousandIdlePodsShareTheirTimersAndNothingIsDoneForThem() {
    createPods();
    kubelet.advance(120);
    int reports = kubelet.reports.size();
    int events = kubelet.events.size();
    int orders = orders().size();

    kubelet.advance(600);
    assertThat(kubelet.loop.timers()).as("relist, health and one for all pods").isEqualTo(3);
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.events).hasSize(events);
    assertThat(orders()).hasSize(orders);
  }

  @Test
  @Tag("C62")
  void c62ARelistWorksOnThePodsThatChangedAlone() {
    List<PodView> pods = createPods();
    kubelet.advance(120);
    int reports = kubelet.reports.size();
    kubelet.runtime.silent = true;
    pods.subList(0, 3).forEach(pod -> kubelet.runtime.exit(pod.ref(), "c", 0));

    kubelet.advance(61);
    assertThat(kubelet.reports.subList(reports, kubelet.reports.size()))
        .extracting(report -> report.pod().name())
        .containsOnly("p0", "p1", "p2");
  }
}
