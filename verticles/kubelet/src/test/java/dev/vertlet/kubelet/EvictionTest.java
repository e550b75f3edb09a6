package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.EvictionSignal;
import dev.vertlet.eviction.Threshold;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spec §10 through the whole core: a node runs short of memory, and who goes for it. */
class EvictionTest {
  private static final long MI = 1 << 20;

  private final Kubelet kubelet = new Kubelet();
  private final Map<String, PodUsage> used = new HashMap<>();

  private void node() {
    kubelet.core.nodes().observed(new Nodes("n").has("pods", "110").has("memory", "8Gi").build());
  }

  /** A node with 1000 Mi of memory, of which so many are free. */
  private void free(long mi) {
    kubelet.runtime.usage =
        new NodeUsage(null, new Supply(mi * MI, 1000 * MI), null, null, null, null, null, used);
  }

  private PodView using(Pods pod, long mi) {
    PodView view = kubelet.create(pod);
    used.put(
        view.uid(),
        new PodUsage(
            List.of(new ContainerUsage("c", mi * MI, Disk.NONE, Disk.NONE)), Disk.NONE, 1));
    return view;
  }

  private List<String> reasons() {
    return kubelet.events.stream()
        .filter(e -> e.kind().equals("Node") || e.reason().equals("Evicted"))
        .map(e -> e.type() + " " + e.reason() + " " + e.message())
        .toList();
  }

  @Test
  @Tag("C43")
  void c43TheWorstPodIsEvictedAndTheNodeStaysUnderPressureForFiveMinutes() {
    List<String> told = new ArrayList<>();
    kubelet.core.nodes().onChange(told::add);
    free(500);
    node();
    PodView modest = using(Pods.pod("modest").memory(100 * MI), 50);
    PodView greedy = using(Pods.pod("greedy"), 400);
    kubelet.advance(20);
    assertThat(reasons()).isEmpty();

    free(50);
    kubelet.advance(10);
    String message =
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi."
            + " Container c was using 400Mi, request is 0, has larger consumption of memory. ";
    assertThat(reasons())
        .containsExactly(
            "Normal NodeHasInsufficientMemory Node n status is now: NodeHasInsufficientMemory",
            "Warning EvictionThresholdMet Attempting to reclaim memory",
            "Warning Evicted " + message);
    assertThat(told).containsExactly("n");
    assertThat(kubelet.report(greedy).finished()).isTrue();
    assertThat(kubelet.phase(greedy)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(greedy).reason()).isEqualTo("Evicted");
    assertThat(kubelet.status(greedy).message()).isEqualTo(message);
    ConditionView target = kubelet.condition(greedy, "DisruptionTarget");
    assertThat(target.status()).isEqualTo("True");
    assertThat(target.reason()).isEqualTo("TerminationByKubelet");
    assertThat(target.message()).isEqualTo(message);
    assertThat(target.observedGeneration()).isEqualTo(1);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 1000");
    assertThat(kubelet.phase(modest)).isEqualTo(PodPhase.RUNNING);

    free(500);
    kubelet.advance(299);
    assertThat(pressures()).containsExactly("MemoryPressure=True KubeletHasInsufficientMemory");
    PodView bestEffort = kubelet.create(Pods.pod("late"));
    assertThat(kubelet.status(bestEffort).reason()).isEqualTo("Evicted");
    assertThat(kubelet.status(bestEffort).message())
        .isEqualTo("Pod was rejected: The node had condition: [MemoryPressure]. ");
    assertThat(kubelet.phase(kubelet.create(Pods.pod("asks").memory(MI))))
        .isEqualTo(PodPhase.RUNNING);

    kubelet.advance(1);
    assertThat(pressures()).isEmpty();
    assertThat(reasons())
        .last()
        .isEqualTo("Normal NodeHasSufficientMemory Node n status is now: NodeHasSufficientMemory");
    assertThat(kubelet.phase(kubelet.create(Pods.pod("later")))).isEqualTo(PodPhase.RUNNING);
  }

  private List<String> pressures() {
    NodeHealth health = kubelet.core.nodes().health("n");
    assertThat(health.ready()).isTrue();
    return health.conditions().stream()
        .map((NodeConditionView c) -> c.type() + "=" + c.status() + " " + c.reason())
        .toList();
  }

  @Test
  void onePodAtATimeGoesAndTheNextOnlyWhenItIsGone() {
    PodView first = using(Pods.pod("first"), 300);
    PodView second = using(Pods.pod("second"), 200);
    free(50);
    kubelet.runtime.chaos =
        call -> call.equals("stop") ? FakeRuntime.Chaos.Fate.HANG : FakeRuntime.Chaos.Fate.WORK;

    node();
    kubelet.advance(29);
    assertThat(kubelet.phase(first)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.status(first).condition("DisruptionTarget")).isNull();
    assertThat(kubelet.phase(second)).isEqualTo(PodPhase.RUNNING);

    kubelet.runtime.chaos = call -> FakeRuntime.Chaos.Fate.WORK;
    kubelet.runtime.exit(first.ref(), "c", 137);
    kubelet.advance(2);
    assertThat(kubelet.status(first).condition("DisruptionTarget")).isNotNull();
    assertThat(kubelet.status(second).reason()).isEqualTo("Evicted");
  }

  @Test
  void aPodThatDoesNotGoIsWaitedForHalfAMinute() {
    free(50);
    PodView stuck = using(Pods.pod("stuck").grace(300), 300);
    kubelet.runtime.chaos = call -> FakeRuntime.Chaos.Fate.HANG;

    node();
    kubelet.advance(29);
    assertThat(kubelet.runtime.usageReads).isEqualTo(1);

    kubelet.advance(1);
    assertThat(kubelet.runtime.usageReads).isEqualTo(2);
    assertThat(kubelet.phase(stuck)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  @Tag("C35")
  void c35AnEvictionShortensADeletionUnderWay() {
    free(500);
    node();
    PodView pod = using(Pods.pod().grace(30), 400);
    kubelet.runtime.stubborn.add("c");
    kubelet.delete(pod, 30);
    kubelet.advance(1);

    free(50);
    kubelet.advance(9);
    kubelet.advance(2);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 30000", "stop c 1000");
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.status(pod).reason()).isEqualTo("Evicted");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
  }

  @Test
  void criticalPodsAreNotEvicted() {
    free(50);
    PodView critical = using(Pods.pod("critical").priority(2_000_000_000), 900);
    PodView small = using(Pods.pod("small").priority(1_999_999_999), 1);

    node();
    kubelet.advance(60);
    assertThat(kubelet.status(small).reason()).isEqualTo("Evicted");
    assertThat(kubelet.phase(critical)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aSoftThresholdWaitsAndLeavesTime() {
    Threshold soft =
        Threshold.parse(EvictionSignal.MEMORY_AVAILABLE, "10%", Duration.ofSeconds(30), null)
            .orElseThrow();
    kubelet.eviction =
        new EvictionOptions(List.of(soft), Duration.ofSeconds(20), Duration.ofMinutes(5));
    free(50);
    PodView pod = using(Pods.pod(), 300);

    node();
    kubelet.advance(29);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);

    kubelet.advance(1);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 20000");
    assertThat(kubelet.status(pod).reason()).isEqualTo("Evicted");
  }

  @Test
  void aRuntimeThatMeasuresNothingIsAskedOnce() {
    node();
    kubelet.advance(600);
    kubelet.core.nodes().observed(new Nodes("m").build());
    kubelet.advance(600);

    assertThat(kubelet.runtime.usageReads).isEqualTo(1);
  }

  @Test
  void anAnswerThatFailsOrHangsIsAskedForAgain() {
    free(500);
    kubelet.runtime.script("usage", () -> Future.failedFuture("busy"));
    kubelet.runtime.hang("usage");
    PodView pod = using(Pods.pod(), 300);

    node();
    kubelet.advance(10);
    free(50);
    kubelet.advance(29);
    assertThat(kubelet.runtime.usageReads).isEqualTo(2);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);

    kubelet.advance(1);
    assertThat(kubelet.status(pod).reason()).isEqualTo("Evicted");
  }

  @Test
  void aNodeWithoutThresholdsIsShortOfNothing() {
    kubelet.eviction = new EvictionOptions(List.of(), Duration.ZERO, Duration.ZERO);
    PodView pod = using(Pods.pod(), 300);
    free(50);

    node();
    kubelet.advance(60);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(reasons()).isEmpty();
  }

  @Test
  void aNodeServedBySomebodyElseIsLeftAlone() {
    free(50);
    node();

    Kubelet.done(kubelet.core.release("n"));
    kubelet.advance(60);
    assertThat(kubelet.runtime.usageReads).isEqualTo(1);
  }

  /** kubelet §10: whatever the node has left, and as often as there is one. */
  @Test
  void podsBeyondTheirOwnLimitsAreEvictedTogetherAndAtOnce() {
    free(500);
    node();
    PodView first = kubelet.create(caching("first"));
    PodView second = kubelet.create(caching("second"));
    PodView modest = kubelet.create(caching("modest"));
    PodView critical = kubelet.create(caching("critical").priority(2_000_000_000));
    kubelet.advance(10);
    assertThat(reasons()).isEmpty();

    for (PodView pod : List.of(first, second, critical)) {
      used.put(pod.uid(), holding(2 * MI));
    }
    used.put(modest.uid(), holding(MI));
    free(500);
    kubelet.advance(10);
    String message = "Usage of EmptyDir volume \"cache\" exceeds the limit \"1Mi\". ";
    for (PodView pod : List.of(first, second)) {
      assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
      assertThat(kubelet.status(pod).reason()).isEqualTo("Evicted");
      assertThat(kubelet.status(pod).message()).isEqualTo(message);
      assertThat(kubelet.status(pod).condition("DisruptionTarget")).isNull();
    }
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 1000", "stop c 1000");
    assertThat(kubelet.phase(modest)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.phase(critical)).isEqualTo(PodPhase.RUNNING);
    assertThat(reasons())
        .containsExactly("Warning Evicted " + message, "Warning Evicted " + message);
  }

  private static Pods caching(String name) {
    return Pods.pod(name)
        .placement(Placements.anywhere().emptyDirs(Map.of("cache", "1Mi")).build());
  }

  private static PodUsage holding(long bytes) {
    return new PodUsage(List.of(), new Disk(bytes, 1), 1, Map.of("cache", bytes));
  }
}
