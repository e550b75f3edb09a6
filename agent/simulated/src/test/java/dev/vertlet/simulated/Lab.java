package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.KubeletCore;
import dev.vertlet.kubelet.KubeletNodes;
import dev.vertlet.kubelet.KubeletOptions;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.PodSelector;
import dev.vertlet.simulated.rule.SimulatedRule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A runtime on fake time, with everything it says written down. */
public final class Lab implements RuntimeListener {
  private static final Map<String, String> CAPACITY =
      Map.of("memory", "1Gi", "ephemeral-storage", "10Gi");

  public final FakeTime time;
  public final SimulatedRuntime runtime;
  final List<Heard> heard = new ArrayList<>();
  final List<PodRef> lost = new ArrayList<>();

  Lab(FakeTime time, List<SimulatedRule> rules) {
    this.time = time;
    this.runtime =
        new SimulatedRuntime(
            time, time, 42, node -> rules, node -> "10.0.0.0/24", node -> CAPACITY);
    get(runtime.start(this));
  }

  public static Lab with(SimulatedRule... rules) {
    return new Lab(new FakeTime(), List.of(rules));
  }

  /** A new process after a crash of the old: same time, same rules, no memory. */
  Lab restarted(SimulatedRule... rules) {
    time.forgetTimers();
    return new Lab(time, List.of(rules));
  }

  static SimulatedRule rule(LifeCycle lifeCycle) {
    return new SimulatedRule("test", PodSelector.ALL, List.of(), 1, lifeCycle);
  }

  @Override
  public void containerChanged(PodRef pod, ContainerRecord container) {
    heard.add(new Heard(pod, container));
  }

  @Override
  public void sandboxLost(PodRef pod) {
    lost.add(pod);
  }

  /** A runtime as agents have it, on the real clock. */
  static SimulatedRuntime onVertx(Vertx vertx, String podCidr) {
    return SimulatedRuntime.create(
        vertx, Clock.systemUTC(), 1, node -> List.of(), node -> podCidr, node -> Map.of());
  }

  static KubeletCore core(ContainerRuntime runtime) {
    return new KubeletCore(
        runtime, KubeletOptions.DEFAULTS, new KubeletNodes(node -> List.of("192.0.2.1")));
  }

  SandboxRecord sandbox(PodView pod) {
    return get(runtime.runSandbox(pod, 0));
  }

  ContainerRecord run(PodView pod) {
    sandbox(pod);
    return start(pod, "main", 0);
  }

  Future<ContainerRecord> begin(PodView pod, String container, int attempt) {
    ContainerView known =
        pod.spec().containers().stream()
            .filter(each -> each.name().equals(container))
            .findFirst()
            .orElseGet(() -> Pods.container(container));
    return runtime.startContainer(pod, known, attempt, "image-id");
  }

  ContainerRecord start(PodView pod, String container, int attempt) {
    return get(begin(pod, container, attempt));
  }

  Optional<RuntimePod> restore(PodView pod) {
    return get(runtime.restore(pod));
  }

  List<RuntimePod> pods() {
    return get(runtime.list());
  }

  /** All instances that the only pod has, the newest first. */
  List<ContainerRecord> containers() {
    assertThat(pods()).hasSize(1);
    return pods().get(0).containers();
  }

  /** Stops the newest instance of a pod of one container. */
  Future<Void> stop(PodView pod, Duration grace) {
    RuntimePod found =
        pods().stream().filter(p -> p.pod().equals(pod.ref())).findFirst().orElseThrow();
    return runtime.stopContainer(pod.ref(), found.containers().get(0).id(), grace);
  }

  void remove(PodView pod) {
    get(runtime.removeSandbox(pod.ref()));
  }

  ContainerRecord last() {
    return heard.get(heard.size() - 1).container();
  }

  ContainerStateView.Terminated lastEnd() {
    return (ContainerStateView.Terminated) last().state();
  }

  static <T> T get(Future<T> future) {
    if (!future.succeeded()) {
      throw new AssertionError("not succeeded: " + future, future.cause());
    }
    return future.result();
  }

  record Heard(PodRef pod, ContainerRecord container) {}
}
