package dev.vertlet.process;

import static org.awaitility.Awaitility.await;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.process.shim.KeyValues;
import dev.vertlet.process.shim.ShimState;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A runtime on an event loop, as an agent has it. Used by the test's thread. */
final class RuntimeLab implements AutoCloseable {
  static final String NODE = "node";

  private final Path root;
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final JsonObject settings;
  private final List<ContainerRecord> changes = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // set by restart
  private ProcessRuntime runtime;

  RuntimeLab(Path root) {
    this.root = root;
    this.settings =
        new JsonObject()
            .put("directory", root.resolve("run").toString())
            .put("allowRoot", true)
            .put("cgroup", "")
            .put(
                "images",
                new JsonArray()
                    .add(new JsonObject().put("pattern", "host*").put("root", ImageRule.HOST)));
  }

  Path pods() {
    return root.resolve("pods");
  }

  /** Changes the settings of the next runtime. */
  RuntimeLab with(String key, Object value) {
    settings.put(key, value);
    return this;
  }

  /** Begins with a new runtime, as a new agent does. The one before is left as a killed one. */
  RuntimeLab restart() {
    ProviderSetup setup =
        new ProviderSetup(
            vertx,
            Clock.systemUTC(),
            new SecureRandom(),
            new SimpleMeterRegistry(),
            ProviderSettings.of(settings),
            List.of(node()),
            pods());
    changes.clear();
    runtime = call(() -> Future.succeededFuture(new ProcessRuntime(setup, options(setup))));
    call(() -> runtime.start(listener()));
    return this;
  }

  private static ProcessOptions options(ProviderSetup setup) {
    return ProcessOptions.of(setup.settings());
  }

  private RuntimeListener listener() {
    return new RuntimeListener() {
      @Override
      public void containerChanged(PodRef pod, ContainerRecord container) {
        changes.add(container);
      }

      @Override
      public void sandboxLost(PodRef pod) {
        throw new AssertionError("no sandbox was lost");
      }
    };
  }

  static NodeSpec node() {
    Map<String, String> resources = Map.of("cpu", "4", "memory", "4Gi", "pods", "110");
    return new NodeSpec(
        NODE,
        Map.of(),
        Map.of(),
        List.of(),
        resources,
        resources,
        List.of(new NodeAddressView("InternalIP", "127.0.0.1")),
        Map.of(),
        "10.0.0.0/24");
  }

  Context context() {
    return context;
  }

  ProcessRuntime runtime() {
    return runtime;
  }

  List<ContainerRecord> changes() {
    return changes;
  }

  <T> Future<T> begin(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(v -> call.get().onComplete(answer));
    return answer.future();
  }

  <T> T call(Supplier<Future<T>> call) {
    return Waits.get(begin(call));
  }

  Throwable failure(Supplier<? extends Future<?>> call) {
    return call(
        () ->
            call.get()
                .transform(
                    result ->
                        Future.succeededFuture(
                            result.failed() ? result.cause() : new AssertionError("succeeded"))));
  }

  /** A pod on the node. */
  record Pod(JsonObject json) {
    PodView view() {
      JsonObject event = new JsonObject().put("type", "ADDED").put("object", json);
      if (new PodDecoder().decodeEvent(PodDecoder.WATCH_JSON, event.toBuffer())
          instanceof WatchEvent.Upsert<PodView> upsert) {
        return upsert.object();
      }
      throw new IllegalArgumentException("not a pod: " + json.encode());
    }

    PodRef ref() {
      return view().ref();
    }

    PodDefinition definition() {
      return PodDefinition.read(json.toBuffer());
    }

    JsonObject container() {
      return json.getJsonObject("spec").getJsonArray("containers").getJsonObject(0);
    }

    Pod with(String key, Object value) {
      container().put(key, value);
      return this;
    }
  }

  Pod pod(String name, String... command) {
    JsonObject container =
        new JsonObject()
            .put("name", "main")
            .put("image", "host:1")
            .put("imagePullPolicy", "IfNotPresent")
            .put("command", new JsonArray(List.of(command)));
    return new Pod(
        new JsonObject()
            .put("apiVersion", "v1")
            .put("kind", "Pod")
            .put(
                "metadata",
                new JsonObject()
                    .put("name", name)
                    .put("namespace", "default")
                    .put("uid", UUID.randomUUID().toString())
                    .put("resourceVersion", "1"))
            .put(
                "spec",
                new JsonObject()
                    .put("nodeName", NODE)
                    .put("restartPolicy", "Always")
                    .put("containers", new JsonArray().add(container))));
  }

  Future<SandboxRecord> sandbox(Pod pod) {
    return runtime.runSandbox(
        new SandboxStart(pod.view(), 0, null, pod.definition(), List.of(), null));
  }

  Future<ContainerRecord> start(Pod pod, int attempt, List<ContainerMount> mounts) {
    PodView view = pod.view();
    ContainerView main = view.spec().containers().get(0);
    PodDefinition definition = pod.definition();
    return runtime
        .pull(view, main)
        .compose(
            image ->
                runtime.startContainer(
                    new ContainerStart(
                        view,
                        main,
                        attempt,
                        image,
                        Map.of(),
                        definition,
                        definition.container("main"),
                        mounts,
                        null)));
  }

  /** Creates a sandbox and starts the container in it. */
  ContainerRecord run(Pod pod) {
    call(() -> sandbox(pod));
    return call(() -> start(pod, 0, List.of()));
  }

  void stop(Pod pod, String id, Duration grace) {
    call(() -> runtime.stopContainer(pod.ref(), id, grace));
  }

  /** The container as the runtime lists it. */
  ContainerRecord listed(String id) {
    return call(() -> runtime.list()).stream()
        .flatMap(pod -> pod.containers().stream())
        .filter(container -> container.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the list has no container " + id));
  }

  boolean running(String id) {
    return listed(id).state() instanceof Running;
  }

  /** Waits for a container's end. */
  Terminated end(String id) {
    await().until(() -> listed(id).state() instanceof Terminated);
    return (Terminated) listed(id).state();
  }

  Path directory(Pod pod, int attempt) {
    return new PodDirectories(pods()).container(pod.ref().uid(), "main", attempt);
  }

  ShimState shim(Pod pod) throws IOException {
    KeyValues state = KeyValues.read(directory(pod, 0).resolve("state"));
    if (state == null) {
      throw new AssertionError("the container was not started");
    }
    return ShimState.of(state);
  }

  @Override
  public void close() throws IOException {
    ContainersOfTests.endAll(root.resolve("run").resolve("s"));
    Waits.get(vertx.close());
  }
}
