package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The kubelet core reacts from within a notification; the runtime must be ready for that. */
class CallbackTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final FakeTime time = new FakeTime();
  private final SimulatedRuntime runtime =
      new SimulatedRuntime(
          time, time, 42, node -> List.of(), node -> "10.0.0.0/24", node -> Map.of());
  private final List<String> heard = new ArrayList<>();

  @Test
  void aRestartFromTheEnd() {
    PodView view = Pods.pod("a").annotate("run-for", "1s").view();
    listen(
        record -> {
          if (!record.running() && record.attempt() < 3) {
            assertThat(start(view, record.attempt() + 1).succeeded()).isTrue();
          }
        });

    run(view);
    time.advance(Duration.ofSeconds(10));

    assertThat(heard)
        .containsExactly("0 up", "0 down", "1 up", "1 down", "2 up", "2 down", "3 up", "3 down");
  }

  @Test
  void aStopFromTheStart() {
    PodView view = Pods.pod("a").view();
    listen(
        record -> {
          if (record.running()) {
            get(runtime.stopContainer(view.ref(), record.id(), GRACE));
          }
        });

    Future<ContainerRecord> started = run(view);

    assertThat(heard).containsExactly("0 up", "0 down");
    assertThat(get(started).running()).as("the answer is not older than the event").isFalse();
  }

  @Test
  void aRemovalFromTheStart() {
    PodView view = Pods.pod("a").annotate("run-for", "1s").view();
    listen(
        record -> {
          if (record.running()) {
            get(runtime.removeSandbox(view.ref()));
          }
        });

    Future<ContainerRecord> started = run(view);
    time.advance(Duration.ofSeconds(10));

    assertThat(heard).containsExactly("0 up", "0 down");
    assertThat(started.isComplete()).isTrue();
    assertThat(get(runtime.list())).isEmpty();
  }

  @Test
  void aReleaseFromReadinessDuringAStop() {
    PodView view = Pods.pod("a").annotate("ready-delay", "2s").annotate("start-delay", "1s").view();
    listen(
        record -> {
          if (Boolean.TRUE.equals(record.ready())) {
            get(runtime.release("node-1"));
          }
        });
    get(runtime.runSandbox(view, 0));
    Future<ContainerRecord> started = start(view, 0);
    time.advance(Duration.ofSeconds(1));
    // the clock is ahead of the timers, as after a long pause
    time.jump(Duration.ofSeconds(5));

    Future<Void> stopped = runtime.stopContainer(view.ref(), get(started).id(), GRACE);
    time.advance(Duration.ofSeconds(60));

    assertThat(heard).containsExactly("0 up", "0 up ready");
    assertThat(stopped.failed()).isTrue();
  }

  @Test
  void aRemovalFromTheEndOfANeighbour() {
    PodView view = Pods.pod("a").containers("main", "helper").view();
    listen(
        record -> {
          if (!record.running()) {
            get(runtime.removeSandbox(view.ref()));
          }
        });
    run(view);
    get(runtime.startContainer(view, Pods.container("helper"), 0, "id"));

    get(runtime.removeSandbox(view.ref()));

    assertThat(heard).containsExactly("0 up", "0 up", "0 down", "0 down");
  }

  private Future<ContainerRecord> run(PodView view) {
    get(runtime.runSandbox(view, 0));
    return start(view, 0);
  }

  private Future<ContainerRecord> start(PodView view, int attempt) {
    return runtime.startContainer(view, Pods.container("main"), attempt, "id");
  }

  private void listen(Consumer<ContainerRecord> reaction) {
    get(
        runtime.start(
            new RuntimeListener() {
              @Override
              public void containerChanged(PodRef pod, ContainerRecord container) {
                String ready = Boolean.TRUE.equals(container.ready()) ? " ready" : "";
                heard.add(container.attempt() + (container.running() ? " up" : " down") + ready);
                reaction.accept(container);
              }

              @Override
              public void sandboxLost(PodRef pod) {}
            }));
  }
}
