package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.PodSelector;
import dev.vertlet.simulated.rule.RuleKey;
import dev.vertlet.simulated.rule.SimulatedRule;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls, time and crashes, with what must always hold checked after every step. A failure
 * names its seed.
 */
class RuntimeSimulationTest {
  private static final int STEPS = 1500;
  private static final List<String> CONTAINERS = List.of("main", "helper");
  private static final List<SimulatedRule> RULES =
      List.of(
          new SimulatedRule(
              "half",
              PodSelector.ALL,
              List.of(),
              0.5,
              LifeCycle.UNSET
                  .with(RuleKey.SANDBOX_DELAY, "0s..5s")
                  .with(RuleKey.START_DELAY, "0s..3s")
                  .with(RuleKey.READY_DELAY, "exponential(5s)")
                  .with(RuleKey.RUN_FOR, "exponential(30s)")
                  .with(RuleKey.OOM_AFTER, "lognormal(1m,10m)")
                  .with(RuleKey.EXIT_CODE, "0:1,1:1")
                  .with(RuleKey.STOP_DELAY, "0s..10s")),
          new SimulatedRule(
              "stubborn",
              PodSelector.ALL,
              List.of("helper"),
              1,
              LifeCycle.UNSET
                  .with(RuleKey.STOP_DELAY, "never")
                  .with(RuleKey.KILL_DELAY, "0s..5s")));

  static IntStream seeds() {
    return IntStream.range(0, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void holdsItsPromises(int seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS; step++) {
      world.step();
      world.check();
    }
    world.drain();
  }

  private static boolean brokenPromise(Future<?> future) {
    return future.failed() && !(future.cause() instanceof ProviderException);
  }

  /** Plays the kubelet core and the API server: knows what it was told, and nothing else. */
  private static final class World implements RuntimeListener {
    private final Random random;
    private final FakeTime time = new FakeTime();
    private final Map<String, Known> pods = new HashMap<>();
    private final Set<String> started = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final List<Future<?>> sandboxes = new ArrayList<>();
    private final List<Future<?>> starts = new ArrayList<>();
    private final List<Future<?>> stops = new ArrayList<>();
    private SimulatedRuntime runtime;
    private int names;

    World(int seed) {
      random = new Random(seed);
      runtime = fresh();
    }

    private SimulatedRuntime fresh() {
      time.forgetTimers();
      SimulatedRuntime made =
          new SimulatedRuntime(
              time,
              time,
              42,
              node -> RULES,
              node -> node.equals("a") ? "10.0.0.0/28" : "10.0.1.0/28",
              node -> Map.of("memory", "1Gi"));
      get(made.start(this));
      return made;
    }

    void step() {
      int dice = random.nextInt(100);
      if (dice < 25) {
        create();
      } else if (dice < 55) {
        start();
      } else if (dice < 70) {
        stop();
      } else if (dice < 80) {
        remove();
      } else if (dice < 97) {
        time.advance(Duration.ofMillis(random.nextInt(4000)));
      } else if (dice < 98) {
        lose();
      } else {
        crash();
      }
    }

    private void create() {
      String node = random.nextBoolean() ? "a" : "b";
      PodView view = Pods.pod("pod-" + names++).on(node).containers("main", "helper").view();
      Future<SandboxRecord> made = runtime.runSandbox(view, 0);
      if (made.isComplete()) {
        assertThat(made.failed()).isEqualTo(held(node) == 13);
      } else if (random.nextInt(4) == 0) {
        get(runtime.removeSandbox(view.ref()));
        assertThat(made.failed()).isTrue();
      }
      sandboxes.add(
          made.map(
              sandbox -> {
                assertThat(held(node)).isLessThan(13);
                return pods.put(view.uid(), new Known(view, sandbox));
              }));
    }

    private long held(String node) {
      return pods.values().stream().filter(pod -> pod.view.nodeName().equals(node)).count();
    }

    private void start() {
      Known pod = any();
      if (pod == null) {
        return;
      }
      String name = CONTAINERS.get(random.nextInt(2));
      ContainerRecord known = pod.containers.get(name);
      if (known != null && known.running()) {
        return;
      }
      int attempt = known == null ? 0 : known.attempt() + 1;
      Future<ContainerRecord> start =
          runtime.startContainer(pod.view, Pods.container(name), attempt, "image-id");
      starts.add(start.map(record -> assertThat(started.contains(record.id())).isTrue()));
    }

    private void stop() {
      Known pod = any();
      if (pod == null) {
        return;
      }
      for (ContainerRecord container : List.copyOf(pod.containers.values())) {
        Duration grace = Duration.ofSeconds(random.nextInt(20));
        Future<Void> stop = runtime.stopContainer(pod.view.ref(), container.id(), grace);
        stops.add(stop.map(done -> assertThat(ended.contains(container.id())).isTrue()));
      }
    }

    private void remove() {
      Known pod = any();
      if (pod == null) {
        return;
      }
      get(runtime.removeSandbox(pod.view.ref()));
      pods.remove(pod.view.uid());
    }

    private void lose() {
      Known pod = any();
      if (pod != null) {
        runtime.loseSandbox(pod.view.ref());
        assertThat(pods).doesNotContainKey(pod.view.uid());
      }
    }

    /** The API server knows all that the listener was told; the rest is lost. */
    private void crash() {
      assertThat(sandboxes).noneMatch(RuntimeSimulationTest::brokenPromise);
      assertThat(starts).noneMatch(RuntimeSimulationTest::brokenPromise);
      assertThat(stops).noneMatch(Future::failed);
      sandboxes.clear();
      starts.clear();
      stops.clear();
      runtime = fresh();
      time.jump(Duration.ofMillis(random.nextInt(20_000)));
      for (Known pod : pods.values()) {
        RuntimePod restored = get(runtime.restore(pod.status())).orElseThrow();
        assertThat(restored.sandbox()).isEqualTo(pod.sandbox);
        assertThat(newest(restored).keySet()).isEqualTo(pod.containers.keySet());
        newest(restored).values().forEach(container -> adopted(pod, container));
      }
    }

    private void adopted(Known pod, ContainerRecord container) {
      ContainerRecord before = pod.containers.put(container.name(), container);
      assertThat(before).isNotNull();
      assertThat(container.id()).isEqualTo(before.id());
      if (before.running() && !container.running()) {
        assertThat(ended.add(container.id())).isTrue();
      } else {
        assertThat(container.running()).isEqualTo(before.running());
      }
    }

    private @Nullable Known any() {
      List<Known> all = List.copyOf(pods.values());
      return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    @Override
    public void containerChanged(PodRef ref, ContainerRecord container) {
      Known pod = requireNonNull(pods.get(ref.uid()), "event after removal of " + ref.name());
      ContainerRecord before = pod.containers.put(container.name(), container);
      boolean sameInstance = before != null && before.id().equals(container.id());
      if (container.running() && !sameInstance) {
        assertThat(started.add(container.id())).as("second start").isTrue();
      } else if (!container.running()) {
        assertThat(started.contains(container.id())).isTrue();
        assertThat(ended.add(container.id())).as("second end").isTrue();
      }
    }

    @Override
    public void sandboxLost(PodRef ref) {
      Known pod = requireNonNull(pods.remove(ref.uid()), "lost after removal");
      // its containers died with it, without a word of their own
      pod.containers.values().forEach(container -> ended.add(container.id()));
    }

    void check() {
      Map<String, RuntimePod> listed = new HashMap<>();
      Set<String> ips = new HashSet<>();
      for (RuntimePod pod : get(runtime.list())) {
        listed.put(pod.pod().uid(), pod);
        List<String> own = requireNonNull(pod.sandbox()).ips();
        assertThat(own).singleElement().asString().matches("10\\.0\\.[01]\\.([2-9]|1[0-4])");
        assertThat(own).as("held twice").allMatch(ips::add);
      }
      assertThat(listed.keySet()).isEqualTo(pods.keySet());
      for (Known pod : pods.values()) {
        assertThat(newest(requireNonNull(listed.get(pod.view.uid())))).isEqualTo(pod.containers);
      }
      assertThat(time.pending()).isLessThanOrEqualTo(1);
    }

    /** Stops answer, and nothing is left behind. */
    void drain() {
      time.advance(Duration.ofSeconds(30));
      assertThat(sandboxes)
          .allMatch(Future::isComplete)
          .noneMatch(RuntimeSimulationTest::brokenPromise);
      assertThat(starts).noneMatch(RuntimeSimulationTest::brokenPromise);
      assertThat(stops).allMatch(Future::succeeded);
      for (Known pod : List.copyOf(pods.values())) {
        get(runtime.removeSandbox(pod.view.ref()));
        pods.remove(pod.view.uid());
      }
      time.advance(Duration.ofDays(400));
      assertThat(get(runtime.list())).isEmpty();
      assertThat(time.pending()).isZero();
    }

    private static Map<String, ContainerRecord> newest(RuntimePod pod) {
      Map<String, ContainerRecord> newest = new HashMap<>();
      for (ContainerRecord container : pod.containers()) {
        newest.merge(container.name(), container, (a, b) -> a.attempt() > b.attempt() ? a : b);
      }
      return newest;
    }
  }

  /** What the core knows of a pod. */
  private static final class Known {
    final PodView view;
    final SandboxRecord sandbox;
    final Map<String, ContainerRecord> containers = new HashMap<>();

    Known(PodView view, SandboxRecord sandbox) {
      this.view = view;
      this.sandbox = sandbox;
    }

    PodView status() {
      ContainerStatusView[] statuses =
          containers.values().stream()
              .map(c -> Pods.statusOf(c, !Boolean.FALSE.equals(c.ready()), null))
              .toArray(ContainerStatusView[]::new);
      assertThat(statuses)
          .noneMatch(status -> status.state() instanceof ContainerStateView.Waiting);
      return Pods.pod(view.name())
          .on(view.nodeName())
          .containers("main", "helper")
          .status(PodPhase.RUNNING, sandbox.ips(), statuses)
          .view();
    }
  }
}
