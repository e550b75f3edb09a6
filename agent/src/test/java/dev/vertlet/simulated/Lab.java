package dev.vertlet.simulated;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime.RuntimeListener;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A runtime on fake time, with everything it says written down. */
final class Lab implements RuntimeListener {
  private static final Map<String, String> CAPACITY =
      Map.of("memory", "1Gi", "ephemeral-storage", "10Gi");

  final FakeTime time;
  final SimulatedRuntime runtime;
  final List<Heard> heard = new ArrayList<>();
  final List<PodRef> lost = new ArrayList<>();

  Lab(FakeTime time, List<SimulatedRule> rules) {
    this.time = time;
    this.runtime =
        new SimulatedRuntime(
            time, time, 42, node -> rules, node -> "10.0.0.0/24", node -> CAPACITY);
    get(runtime.start(this));
  }

  static Lab with(SimulatedRule... rules) {
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

  ContainerRecord run(PodView pod) {
    get(runtime.runSandbox(pod, 0));
    return start(pod, "main", 0);
  }

  ContainerRecord start(PodView pod, String container, int attempt) {
    return get(runtime.startContainer(pod, Pods.container(container), attempt, "image-id"));
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
