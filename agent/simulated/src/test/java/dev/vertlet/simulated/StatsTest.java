package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats.Cpu;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.RuleKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people see of nodes and pods; nodes have 1 Gi of memory. */
class StatsTest {
  private static final long MILLI = 1_000_000;
  private static final long MI = 1 << 20;

  private final Lab lab = Lab.with();

  private static NodeUsage stats(Lab lab) {
    return Lab.get(lab.runtime.stats("node-1"));
  }

  private static PodUsage pod(Lab lab, PodView pod) {
    return Objects.requireNonNull(stats(lab).pods().get(pod.uid()));
  }

  private static Cpu cpu(NodeUsage usage) {
    return Objects.requireNonNull(usage.stats().cpu());
  }

  private static Cpu cpu(PodUsage usage) {
    return Objects.requireNonNull(usage.stats().cpu());
  }

  private static long nodeTime(Lab lab) {
    return Objects.requireNonNull(cpu(stats(lab)).coreNanoSeconds());
  }

  @Test
  void containersTakeWhatIsSaidAndTheNodeTakesItAll() {
    PodView pod =
        Pods.pod("a").annotate("cpu-usage", "250m").annotate("memory-usage", "100Mi").view();
    Instant started = lab.time.instant();
    lab.run(pod);

    lab.time.advance(Duration.ofSeconds(40));
    NodeUsage usage = stats(lab);
    assertThat(usage.measuredAt()).isEqualTo(lab.time.instant());
    assertThat(usage.memory()).isEqualTo(new Supply((1024 - 101) * MI, 1024 * MI));
    assertThat(usage.stats().startedAt()).isEqualTo(started);
    assertThat(cpu(usage)).isEqualTo(new Cpu(251 * MILLI, 40 * 251 * MILLI));
    PodUsage used = pod(lab, pod);
    assertThat(cpu(used)).isEqualTo(new Cpu(250 * MILLI, 40 * 250 * MILLI));
    ContainerUsage main = used.containers().get(0);
    assertThat(main.name()).isEqualTo("main");
    assertThat(main.memory()).isEqualTo(100 * MI);
    assertThat(main.stats().startedAt()).isEqualTo(started);
    assertThat(main.stats().cpu()).isEqualTo(new Cpu(250 * MILLI, 40 * 250 * MILLI));
  }

  @Test
  void aContainerOfWhichNothingIsSaidIsIdleAndNoEvictionGoesByIt() {
    PodView pod = Pods.pod("a").view();
    lab.run(pod);

    lab.time.advance(Duration.ofSeconds(10));
    assertThat(cpu(pod(lab, pod))).isEqualTo(new Cpu(MILLI, 10 * MILLI));
    assertThat(pod(lab, pod).containers().get(0).memory()).isEqualTo(MI);
    assertThat(Lab.get(lab.runtime.usage("node-1"))).isEqualTo(NodeUsage.NONE);
  }

  @Test
  void aShareIsOfWhatTheContainerRequests() {
    Lab busy =
        Lab.with(
            Lab.rule(
                LifeCycle.UNSET
                    .with(RuleKey.CPU_USAGE, "80%")
                    .with(RuleKey.MEMORY_USAGE, "50%")
                    .with(RuleKey.STORAGE_USAGE, "0")));
    PodView view = Pods.pod("a").view();
    ResourcesView resources = new ResourcesView(Map.of("cpu", "500m", "memory", "64Mi"), Map.of());
    ContainerView main =
        new ContainerView("main", Pods.IMAGE, "IfNotPresent", null, null, resources, null);
    PodView pod = view.withSpec(view.spec().withContainers(List.of(), List.of(main)));

    busy.run(pod);
    assertThat(cpu(pod(busy, pod)).nanoCores()).isEqualTo(400 * MILLI);
    assertThat(pod(busy, pod).containers().get(0).memory()).isEqualTo(32 * MI);
  }

  @Test
  void whatPodsAndNodesTookDoesNotFallWhenContainersAndPodsEnd() {
    PodView pod = Pods.pod("a").annotate("cpu-usage", "1").annotate("run-for", "10s").view();
    lab.run(pod);
    lab.time.advance(Duration.ofSeconds(60));
    long once = 10_000 * MILLI;
    assertThat(pod(lab, pod).containers()).isEmpty();
    assertThat(cpu(pod(lab, pod))).isEqualTo(new Cpu(0L, once));

    lab.start(pod, "main", 1);
    lab.time.advance(Duration.ofSeconds(4));
    assertThat(cpu(pod(lab, pod)).coreNanoSeconds()).isEqualTo(once + 4000 * MILLI);
    assertThat(pod(lab, pod).containers().get(0).stats().cpu())
        .isEqualTo(new Cpu(1000 * MILLI, 4000 * MILLI));
    assertThat(nodeTime(lab)).isEqualTo(once + 4000 * MILLI + 64 * MILLI);

    Lab.get(lab.runtime.removeSandbox(pod.ref()));
    lab.time.advance(Duration.ofSeconds(6));
    assertThat(stats(lab).pods()).isEmpty();
    assertThat(nodeTime(lab)).isEqualTo(once + 4000 * MILLI + 70 * MILLI);

    PodView other = Pods.pod("b").annotate("cpu-usage", "1").view();
    lab.run(other);
    lab.time.advance(Duration.ofSeconds(1));
    lab.runtime.loseSandbox(other.ref());
    assertThat(nodeTime(lab)).isEqualTo(once + 5000 * MILLI + 71 * MILLI);
  }

  @Test
  void aStartThatWasTakenBackTakesNothing() {
    PodView pod = Pods.pod("a").annotate("cpu-usage", "1").annotate("run-for", "10s").view();
    lab.run(pod);
    lab.time.advance(Duration.ofSeconds(10));

    PodView failing =
        Pods.pod("a").annotate("start-error", "no").annotate("start-delay", "5s").view();
    var unused = lab.runtime.startContainer(failing, Pods.container("main"), 1, "image-id");
    assertThat(cpu(pod(lab, pod)).coreNanoSeconds()).isEqualTo(10_000 * MILLI);
    lab.time.advance(Duration.ofSeconds(20));
    assertThat(cpu(pod(lab, pod))).isEqualTo(new Cpu(0L, 10_000 * MILLI));
  }

  @Test
  void afterARestartOfTheAgentAContainerHasTakenTheSame() {
    lab.time.advance(Duration.ofMillis(300));
    Pods pods = Pods.pod("a").annotate("cpu-usage", "ramp(100m,2,1h)");
    ContainerRecord running = lab.run(pods.view());
    lab.time.advance(Duration.ofMinutes(20));
    PodUsage before = pod(lab, pods.view());

    PodView shown =
        pods.status(PodPhase.RUNNING, List.of("10.0.0.9"), Pods.statusOf(running, true, null))
            .view();
    Lab next = lab.restarted();
    Lab.get(next.runtime.restore(shown));
    assertThat(pod(next, shown).containers()).isEqualTo(before.containers());
    assertThat(nodeTime(next)).isZero();

    next.time.advance(Duration.ofSeconds(10));
    assertThat(cpu(pod(next, shown)).coreNanoSeconds())
        .isGreaterThan(Objects.requireNonNull(cpu(before).coreNanoSeconds()));
    assertThat(nodeTime(next)).isBetween(7000 * MILLI, 8000 * MILLI);
    assertThat(running.state()).isInstanceOf(ContainerStateView.Running.class);
  }

  @Test
  void aNodeWithoutPodsTakesHardlyAnything() {
    lab.time.advance(Duration.ofSeconds(5));
    NodeUsage usage = stats(lab);
    assertThat(usage.pods()).isEmpty();
    assertThat(cpu(usage)).isEqualTo(new Cpu(MILLI, 5 * MILLI));
    assertThat(usage.memory()).isEqualTo(new Supply(1023 * MI, 1024 * MI));
  }
}
