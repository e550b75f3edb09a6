package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.ContainerMessages.ContainerConfig;
import dev.vertlet.cri.wire.ContainerMessages.CreateContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.RemoveContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.StartContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.StopContainerRequest;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.ImageMessages.ImageStatusRequest;
import dev.vertlet.cri.wire.ImageService;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.host.files.Directories;
import dev.vertlet.host.files.FileFailures;
import dev.vertlet.host.files.Workers;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts, stops and removes containers. Confined to the shard's loop. */
public final class Containers {
  /** How long a container may need to be seen as ended after it was stopped. */
  private static final long END_PATIENCE_MILLIS = 10_000;

  /**
   * Least grace of a container, in seconds.
   *
   * @see <a
   *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_manager.go">
   *     minimumGracePeriodInSeconds, kubelet 1.36.3</a>
   */
  private static final long MIN_GRACE_SECONDS = 2;

  private final RuntimeService runtime;
  private final ImageService images;
  private final Inspector inspector;
  private final Relist relist;
  private final Workers workers;
  private final Map<String, Future<CachedContainer>> starts = new HashMap<>();

  @SuppressWarnings("NullAway.Init") // set before the first start
  private ContainerConfigs configs;

  public Containers(
      RuntimeService runtime,
      ImageService images,
      Inspector inspector,
      Relist relist,
      Workers workers) {
    this.runtime = runtime;
    this.images = images;
    this.inspector = inspector;
    this.relist = relist;
    this.workers = workers;
  }

  void use(ContainerConfigs made) {
    configs = made;
  }

  /** The configurations of containers. */
  ContainerConfigs configs() {
    return configs;
  }

  /** Resources of a container, for a change while it runs. */
  public LinuxContainerResources resources(PodView pod, ContainerView container) {
    return configs.resources(pod, container);
  }

  /** A container to start, with the configuration of its sandbox. */
  public record Order(ContainerStart start, PodSandboxConfig sandbox, List<Long> groups) {}

  /**
   * Starts an instance of a container; a start that is under way, or is done, is not repeated.
   *
   * @return fails with a {@link ProviderException} that has a kubelet's reason
   */
  public Future<CachedContainer> start(CachedPod pod, SandboxState sandbox, Order order) {
    String name = order.start().container().name();
    int attempt = order.start().attempt();
    String key = pod.ref().uid() + "/" + name + "/" + attempt;
    Future<CachedContainer> running = starts.get(key);
    if (running != null) {
      return running;
    }
    CachedContainer there = pod.container(name, attempt);
    if (there != null && (there.ended() || there.record().running())) {
      return Future.succeededFuture(there);
    }
    pod.starting(1);
    Future<CachedContainer> started =
        (there == null ? Future.<Void>succeededFuture() : discard(pod, there))
            .compose(free -> begin(pod, sandbox, order))
            .onComplete(
                done -> {
                  pod.starting(-1);
                  starts.remove(key);
                });
    if (!started.isComplete()) {
      starts.put(key, started);
    }
    return started;
  }

  /** Removes a container that was created and never started: its files may be gone. */
  private Future<Void> discard(CachedPod pod, CachedContainer created) {
    return removeCall(created.id())
        .onSuccess(removed -> pod.remove(created.id()))
        .recover(failure -> failed("CreateContainerError", failure));
  }

  private Future<CachedContainer> begin(CachedPod pod, SandboxState sandbox, Order order) {
    ContainerStart start = order.start();
    return images
        .imageStatus(new ImageStatusRequest(image(start), false))
        .recover(failure -> failed("CreateContainerConfigError", failure))
        .compose(
            answer ->
                config(pod, order, ImageUser.of(answer.image()))
                    .compose(config -> prepare(start, order, config)))
        .compose(config -> create(pod, sandbox, order, config))
        .compose(id -> run(pod, sandbox, start, id));
  }

  private static ImageSpec image(ContainerStart start) {
    return new ImageSpec(start.imageId(), Map.of(), start.container().image(), "", "");
  }

  private Future<ContainerConfig> config(CachedPod pod, Order order, ImageUser user) {
    ContainerStart start = order.start();
    try {
      JsonObject definition =
          ContainerAnnotations.container(
              start.pod().json().toJsonObject(), start.container().name());
      String target = definition.getString("targetContainerName", "");
      CachedContainer seen = target.isEmpty() ? null : pod.running(target);
      if (!target.isEmpty() && seen == null) {
        throw new IllegalArgumentException("unable to find target container " + target);
      }
      return Future.succeededFuture(
          configs.of(start, user, order.groups(), seen == null ? null : seen.id()));
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(
          new ProviderException(
              Kind.TEMPORARY, "CreateContainerConfigError", String.valueOf(e.getMessage())));
    }
  }

  private Future<ContainerConfig> prepare(
      ContainerStart start, Order order, ContainerConfig config) {
    Path logs = Path.of(order.sandbox().logDirectory()).resolve(config.logPath());
    return workers
        .call(
            () -> {
              Path directory = logs.getParent();
              if (directory != null) {
                Files.createDirectories(directory);
              }
              MountChecks.before(start.mounts());
              return config;
            })
        .recover(
            failure ->
                Future.failedFuture(
                    new ProviderException(
                        Kind.TEMPORARY,
                        "CreateContainerConfigError",
                        failure instanceof IOException io
                            ? FileFailures.message(io)
                            : String.valueOf(failure.getMessage()))));
  }

  private Future<String> create(
      CachedPod pod, SandboxState sandbox, Order order, ContainerConfig config) {
    CreateContainerRequest request =
        new CreateContainerRequest(sandbox.id(), config, order.sandbox());
    return runtime
        .createContainer(request)
        .recover(
            failure ->
                Sandboxes.reserved(failure)
                    // a former call went on after its deadline: what it made is of no use
                    ? relist
                        .run()
                        .compose(
                            listed -> {
                              CachedContainer left =
                                  pod.container(
                                      order.start().container().name(), order.start().attempt());
                              return left == null || left.record().running()
                                  ? Future.failedFuture(failure)
                                  : removeCall(left.id())
                                      .onSuccess(removed -> pod.remove(left.id()))
                                      .compose(removed -> runtime.createContainer(request));
                            })
                    : Future.failedFuture(failure))
        .compose(
            made ->
                made.containerId().isEmpty()
                    ? Future.failedFuture(
                        new GrpcException(
                            GrpcStatus.INTERNAL, "ContainerId is not set for container"))
                    : Future.succeededFuture(made.containerId()))
        .recover(failure -> failed("CreateContainerError", failure));
  }

  private Future<CachedContainer> run(
      CachedPod pod, SandboxState sandbox, ContainerStart start, String id) {
    return runtime
        .startContainer(new StartContainerRequest(id))
        .transform(
            result ->
                result.failed()
                    ? notRunning(pod, sandbox, id, result.cause())
                    : checkMounts(start, id)
                        .compose(checked -> inspector.inspect(pod, id, sandbox.id()))
                        .compose(
                            container ->
                                container == null
                                    ? failed(
                                        "RunContainerError",
                                        new IllegalStateException(
                                            "the runtime has lost container " + id))
                                    : Future.succeededFuture(container))
                        .recover(failure -> failed("RunContainerError", failure)));
  }

  /** Fails, and tells of the dead container afterwards, as a kubelet first hears of the failure. */
  private Future<CachedContainer> notRunning(
      CachedPod pod, SandboxState sandbox, String id, Throwable failure) {
    workers
        .vertx()
        .runOnContext(later -> inspector.inspect(pod, id, sandbox.id()).otherwiseEmpty());
    return failed("RunContainerError", failure);
  }

  private Future<Void> checkMounts(ContainerStart start, String id) {
    if (MountChecks.none(start.mounts())) {
      return Future.succeededFuture();
    }
    return inspector
        .status(id, true)
        .compose(status -> workers.run(() -> MountChecks.after(start.mounts(), status.info())))
        .recover(
            failure ->
                runtime
                    .stopContainer(new StopContainerRequest(id, 0))
                    .transform(stopped -> Future.failedFuture(failure)));
  }

  /**
   * Asks a container to end, and kills it when {@code grace} is over.
   *
   * @return completes when the container has ended and the listener has the report
   */
  public Future<Void> stop(CachedPod pod, CachedContainer container, Duration grace) {
    long seconds = Math.max(MIN_GRACE_SECONDS, grace.plusMillis(999).toSeconds());
    return runtime
        .stopContainer(new StopContainerRequest(container.id(), seconds))
        .recover(
            failure ->
                GrpcException.is(failure, GrpcStatus.NOT_FOUND)
                    ? Future.succeededFuture()
                    : failed("KillContainerError", failure))
        .compose(stopped -> awaitEnd(pod, container));
  }

  /** Completes when the listener has the report of a container whose process has ended. */
  public Future<Void> awaitEnd(CachedPod pod, CachedContainer container) {
    return inspector
        .awaitEnd(pod, container, END_PATIENCE_MILLIS)
        .recover(failure -> failed("KillContainerError", failure))
        .compose(
            ended ->
                ended
                    ? Future.succeededFuture()
                    : failed(
                        "KillContainerError",
                        new IllegalStateException(
                            "the runtime has stopped container "
                                + container.id()
                                + " and says that it runs")));
  }

  /** Removes a container that has ended, with its log. */
  public Future<Void> remove(CachedPod pod, CachedContainer container) {
    return removeCall(container.id())
        .recover(failure -> failed("RemoveContainerError", failure))
        .onSuccess(removed -> pod.remove(container.id()))
        .compose(removed -> workers.run(() -> deleteLog(container.log())));
  }

  /** Deletes a log with its rotated files. */
  private static void deleteLog(Path log) throws IOException {
    Path directory = log.getParent();
    String name = String.valueOf(log.getFileName());
    if (directory != null) {
      for (Path file : Directories.children(directory)) {
        if (String.valueOf(file.getFileName()).startsWith(name)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private Future<Void> removeCall(String id) {
    return runtime
        .removeContainer(new RemoveContainerRequest(id))
        .<Void>mapEmpty()
        .recover(
            failure ->
                GrpcException.is(failure, GrpcStatus.NOT_FOUND)
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  private static <T> Future<T> failed(String reason, Throwable failure) {
    return Future.failedFuture(
        failure instanceof ProviderException
            ? failure
            : new ProviderException(Kind.TEMPORARY, reason, GrpcException.description(failure)));
  }
}
