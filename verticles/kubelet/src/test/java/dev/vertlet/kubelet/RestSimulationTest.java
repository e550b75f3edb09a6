package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Pods;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two cores are told the same of pods that are resized, get other images, end and go. The pods of
 * one of them rest whenever they may, and nothing that is shown of them may tell that.
 */
class RestSimulationTest {
  private static final int STEPS = 400;

  private Kubelet awake = new Kubelet();
  private Kubelet rested = new Kubelet();
  private List<Kubelet> both = List.of(awake, rested);
  private final Map<String, PodView> pods = new LinkedHashMap<>();
  private int names;
  private int rests;

  static IntStream seeds() {
    return IntStream.rangeClosed(1, 10);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aPodThatRestedIsAsOneThatDidNot(int seed) {
    live(seed);
    assertThat(rested.eventLines())
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(awake.eventLines());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aPodThatRestedIsAsOneThatDidNotInProfileFast(int seed) {
    awake = Kubelet.fast();
    rested = Kubelet.fast();
    both = List.of(awake, rested);
    live(seed);
  }

  private void live(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    rested.runtime.rests = true;
    both.forEach(each -> each.core.nodes().observed(node()));
    for (int i = 0; i < STEPS; i++) {
      step(random);
      long seconds = 1 + random.nextInt(random.nextInt(8) == 0 ? 200 : 5);
      both.forEach(each -> each.advance(seconds));
      compare();
      settle();
    }
    assertThat(rests).isPositive();
    List.copyOf(pods.values()).forEach(this::delete);
    both.forEach(each -> each.advance(60));
    for (Kubelet each : both) {
      assertThat(each.core.list().result()).isEmpty();
      assertThat(each.runtime.pods).isEmpty();
      assertThat(each.counts.now()).containsExactly(0, 0, 0);
    }
  }

  private static NodeView node() {
    return new Nodes("n").has("cpu", "8").has("memory", "64Gi").has("pods", "110").build();
  }

  private void step(SplittableRandom random) {
    int dice = random.nextInt(10);
    if (pods.isEmpty() || (dice < 2 && pods.size() < 6)) {
      PodView pod =
          Pods.pod("p" + ++names)
              .grace(1)
              .container("c")
              .resources("c", "1", "100Mi")
              .generation(1)
              .build();
      pods.put(pod.uid(), pod);
      both.forEach(each -> each.core.create(pod));
      return;
    }
    PodView pod = List.copyOf(pods.values()).get(random.nextInt(pods.size()));
    if (dice < 6) {
      String cpu = String.valueOf(1 + random.nextInt(4));
      update(Pods.of(pod).resources("c", cpu, (1 + random.nextInt(3)) + "00Mi"), pod);
    } else if (dice < 7) {
      update(Pods.of(pod).image("c", "img:" + random.nextInt(3)), pod);
    } else if (dice < 8 && runs(pod)) {
      both.forEach(each -> each.runtime.exit(pod.ref(), "c", 1));
    } else if (dice == 8) {
      delete(pod);
    }
  }

  private void update(Pods changed, PodView pod) {
    PodView next = changed.generation(pod.generation() + 1).build();
    pods.put(pod.uid(), next);
    both.forEach(each -> each.core.update(shown(each, next)));
  }

  private void delete(PodView pod) {
    pods.remove(pod.uid());
    both.forEach(each -> each.delete(shown(each, pod), 1));
  }

  private static PodStatusView status(Kubelet kubelet, PodView pod) {
    return kubelet.core.get(pod.ref()).result().orElseThrow().status();
  }

  private static PodView shown(Kubelet kubelet, PodView pod) {
    return Pods.of(pod).status(status(kubelet, pod)).build();
  }

  private boolean runs(PodView pod) {
    List<ContainerStatusView> containers = status(awake, pod).containerStatuses();
    return !containers.isEmpty() && containers.get(0).state() instanceof Running;
  }

  private void compare() {
    for (PodView pod : pods.values()) {
      assertThat(told(rested, pod)).as(pod.name()).isEqualTo(told(awake, pod));
    }
  }

  /** All but the numbers that the runtime gives to what it makes. */
  private static String told(Kubelet kubelet, PodView pod) {
    return status(kubelet, pod).toString().replaceAll("fake://\\d+", "fake");
  }

  /** The watch brings all that was written. */
  private void settle() {
    for (PodView pod : pods.values()) {
      both.forEach(each -> each.core.settled(shown(each, pod)));
      rests += rested.runtime.resting.containsKey(pod.uid()) ? 1 : 0;
    }
  }
}
