package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.content.PodInput;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Operations on the container runtime under test, called as vertlet calls them. */
abstract class RuntimeOperations extends ProviderTck {
  static final Duration GRACE = Duration.ofSeconds(30);

  /** Host name and name server of every sandbox, where the runtime asks for them. */
  private static final SandboxConfig SANDBOX =
      new SandboxConfig(
          "tck", "", "tck", List.of("192.0.2.53"), List.of(), List.of(), List.of(), List.of());

  final Listener heard = new Listener();

  @SuppressWarnings("NullAway.Init") // set before each test
  ContainerRuntime runtime;

  private record Heard(PodRef pod, ContainerRecord container) {}

  /** Records the runtime's reports. Thread-safe, because a runtime may report from any thread. */
  static final class Listener implements RuntimeListener {
    private final List<Heard> changes = new CopyOnWriteArrayList<>();

    @Override
    public void containerChanged(PodRef pod, ContainerRecord container) {
      changes.add(new Heard(pod, container));
    }

    @Override
    public void sandboxLost(PodRef pod) {
      throw new AssertionError("no sandbox was lost in a test: " + pod.display());
    }

    @Nullable ContainerRecord last(PodRef pod, String id) {
      ContainerRecord last = null;
      for (Heard change : changes) {
        if (change.pod.equals(pod) && change.container.id().equals(id)) {
          last = change.container;
        }
      }
      return last;
    }
  }

  @BeforeEach
  final void startRuntime() {
    assertThat(lab().make()).as("what create makes").isInstanceOf(Backend.Containers.class);
    restart();
  }

  final void restart() {
    runtime = ((Backend.Containers) lab().make()).runtime();
    lab().call(() -> runtime.start(heard));
  }

  @AfterEach
  final void aContainerThatEndedStaysEnded() {
    lab().call(runtime::stop);
    for (int i = 0; i < heard.changes.size(); i++) {
      Heard end = heard.changes.get(i);
      if (end.container.state() instanceof Terminated) {
        assertThat(heard.changes.subList(i, heard.changes.size()))
            .filteredOn(later -> later.container.id().equals(end.container.id()))
            .allMatch(later -> later.container.state() instanceof Terminated);
      }
    }
  }

  final SandboxRecord sandbox(TckPod pod, int attempt) {
    return lab().call(() -> runSandbox(pod, attempt));
  }

  /** Creates the sandbox with what the runtime asks for, as vertlet does. */
  final Future<SandboxRecord> runSandbox(TckPod pod, int attempt) {
    if (!runtime.input().hasDefinition()) {
      return runtime.runSandbox(pod.view(), attempt);
    }
    return runtime.runSandbox(
        new SandboxStart(
            pod.view(),
            attempt,
            runtime.usesEnvironment() ? SANDBOX : null,
            pod.definition(),
            List.of(),
            directory(pod)));
  }

  final @Nullable Path directory(TckPod pod) {
    return runtime.input() == PodInput.FILES ? lab().directory(pod.ref()) : null;
  }

  /** Starts the first container with what the runtime asks for, as vertlet does. */
  final Future<ContainerRecord> startContainer(TckPod pod, int attempt, String image) {
    PodView view = pod.view();
    if (!runtime.input().hasDefinition()) {
      return runtime.startContainer(view, main(view), attempt, image);
    }
    PodDefinition definition = pod.definition();
    return runtime.startContainer(
        new ContainerStart(
            view,
            main(view),
            attempt,
            image,
            Map.of(),
            definition,
            definition.container(main(view).name()),
            List.of(),
            directory(pod)));
  }

  static ContainerView main(PodView pod) {
    return pod.spec().containers().get(0);
  }

  final String pull(TckPod pod) {
    return lab().call(() -> pullImage(pod));
  }

  final Future<String> pullImage(TckPod pod) {
    PodView view = pod.view();
    return runtime.input().hasContent()
        ? runtime.pull(view, main(view), null)
        : runtime.pull(view, main(view));
  }

  final ContainerRecord start(TckPod pod, int attempt) {
    String image = pull(pod);
    return lab().call(() -> startContainer(pod, attempt, image));
  }

  /** Creates the sandbox and starts its first container; returns when the container runs. */
  final ContainerRecord run(TckPod pod) {
    sandbox(pod, 0);
    ContainerRecord started = start(pod, 0);
    awaitRunning(pod, started.id());
    return started;
  }

  final void awaitRunning(TckPod pod, String id) {
    lab()
        .eventually(
            () -> assertThat(container(pod, id).state()).as(id).isInstanceOf(Running.class));
  }

  final void stop(TckPod pod, String id, Duration grace) {
    lab().call(() -> runtime.stopContainer(pod.ref(), id, grace));
  }

  final Optional<RuntimePod> listed(TckPod pod) {
    List<RuntimePod> own =
        lab().call(runtime::list).stream().filter(held -> held.pod().equals(pod.ref())).toList();
    assertThat(own).as("entries of one pod").hasSizeLessThanOrEqualTo(1);
    return own.stream().findFirst();
  }

  final ContainerRecord container(TckPod pod, String id) {
    return listed(pod).stream()
        .flatMap(held -> held.containers().stream())
        .filter(record -> record.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the list has no container " + id));
  }

  final boolean hasSandbox(TckPod pod) {
    return listed(pod).map(held -> held.sandbox() != null).orElse(false);
  }

  static List<String> ips(RuntimePod pod) {
    return Objects.requireNonNull(pod.sandbox()).ips();
  }
}
