package dev.vertlet.cri;

import dev.vertlet.cri.container.TestStart;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.testing.NodeSpecs;
import dev.vertlet.testsupport.ManualClock;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The provider on a fake container runtime, with timers that the test moves. */
final class FaultLab implements AutoCloseable {
  private static final SandboxConfig NETWORK =
      new SandboxConfig(
          "web", "", "web", List.of("10.0.0.10"), List.of("svc"), List.of(), List.of(), List.of());

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Path directory;
  private final Path pods;
  private final TestStart pod;
  private final ManualTimers timers = new ManualTimers(vertx);
  private final FakeRuntime fake;
  private final CriRuntime runtime;
  private final List<ContainerRecord> changes = new CopyOnWriteArrayList<>();
  private final List<PodRef> lost = new CopyOnWriteArrayList<>();
  private final List<CriRuntime> others = new ArrayList<>();

  FaultLab(Path directory) throws IOException {
    this(directory, TestStart.of(new JsonObject(), new JsonObject()));
  }

  FaultLab(Path directory, TestStart pod) throws IOException {
    this.pod = pod;
    this.pods = Files.createDirectories(directory.resolve("pods"));
    this.directory = directory;
    this.fake = new FakeRuntime(vertx, directory.resolve("s"));
    this.runtime = provider("node-1", pods, node -> false);
  }

  private CriRuntime provider(String node, Path podsDir, Predicate<String> abandoned) {
    JsonObject settings =
        new JsonObject()
            .put("socket", directory.resolve("s").toString())
            .put("cgroupRoot", "")
            .put("logsDir", directory.resolve("logs").toString());
    ProviderSetup setup =
        new ProviderSetup(
            timers.vertx(),
            new ManualClock(Instant.parse("2026-01-02T03:04:05Z")),
            new SplittableRandom(1),
            new SimpleMeterRegistry(),
            ProviderSettings.of(settings),
            List.of(NodeSpecs.having(node, Map.of("cpu", "4"))),
            podsDir,
            abandoned);
    return call(
        () -> Future.succeededFuture(new CriRuntime(setup, CriOptions.of(setup.settings()))));
  }

  /** Makes the provider of another shard or agent on the same container runtime, and starts it. */
  CriRuntime startAnother(String node, Path podsDir, Predicate<String> abandoned) {
    CriRuntime another = provider(node, podsDir, abandoned);
    others.add(another);
    start(another);
    return another;
  }

  /** Starts the provider. */
  void start() {
    start(runtime);
  }

  private void start(CriRuntime provider) {
    call(
        () ->
            provider.start(
                new RuntimeListener() {
                  @Override
                  public void containerChanged(PodRef ref, ContainerRecord container) {
                    changes.add(container);
                  }

                  @Override
                  public void sandboxLost(PodRef ref) {
                    lost.add(ref);
                  }
                }));
  }

  FakeRuntime fake() {
    return fake;
  }

  ManualTimers timers() {
    return timers;
  }

  CriRuntime runtime() {
    return runtime;
  }

  TestStart pod() {
    return pod;
  }

  /** Changes of containers that the provider reported, in order. */
  List<ContainerRecord> changes() {
    return changes;
  }

  /** Pods whose sandboxes the provider reported as lost. */
  List<PodRef> lost() {
    return lost;
  }

  PodRef ref() {
    return pod.view().ref();
  }

  /** Directory of the agent's pods. */
  Path pods() {
    return pods;
  }

  /** Directory of the pod. */
  Path directory() {
    return pods.resolve(ref().uid());
  }

  /** Makes a call on the provider's loop. */
  <T> Future<T> begin(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(
        v -> {
          try {
            call.get().onComplete(answer);
          } catch (RuntimeException | Error e) {
            answer.fail(new AssertionError("a call threw instead of failing its Future", e));
          }
        });
    return answer.future();
  }

  <T> T call(Supplier<Future<T>> call) {
    return Waits.get(begin(call));
  }

  /** Returns the failure of a Future. */
  static Throwable failure(Future<?> future) {
    return Waits.get(
        future.transform(
            result ->
                Future.succeededFuture(
                    result.failed()
                        ? result.cause()
                        : new AssertionError("succeeded: " + result.result()))));
  }

  /** Makes the pod's directory and runs its sandbox. */
  Future<SandboxRecord> sandbox() {
    SandboxStart start = pod.sandbox(0, NETWORK);
    try {
      Files.createDirectories(directory());
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
    return runtime.runSandbox(
        new SandboxStart(
            start.pod(), 0, start.config(), start.definition(), List.of(), directory()));
  }

  /** Starts the pod's container. */
  Future<ContainerRecord> container(int attempt) {
    ContainerStart start = pod.container(attempt, Map.of(), List.of());
    return runtime.startContainer(start);
  }

  /** Runs the pod with its container. */
  ContainerRecord run() {
    SandboxRecord unused = call(this::sandbox);
    return call(() -> container(0));
  }

  /** An id of the provider as the runtime has it. */
  static String plain(ContainerRecord container) {
    return container.id().substring(container.id().indexOf("://") + 3);
  }

  @Override
  public void close() {
    others.forEach(other -> Waits.get(begin(other::stop)));
    Waits.get(begin(runtime::stop));
    fake.close();
    Waits.get(vertx.close());
  }
}
