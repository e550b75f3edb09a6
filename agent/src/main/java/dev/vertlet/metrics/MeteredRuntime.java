package dev.vertlet.metrics;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.HandlerView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.ForwardingRuntime;
import dev.vertlet.provider.HookRequest;
import dev.vertlet.provider.ImageRecord;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.ProbeRequest;
import dev.vertlet.provider.ProbeResult;
import dev.vertlet.provider.RuntimePod;
import dev.vertlet.provider.SandboxConfig;
import dev.vertlet.provider.SandboxRecord;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times the calls of a runtime under a kubelet's operation names. Sessions are not
 * counted here, as clients decide how long they last: the server of the kubelet API counts them.
 * Called on the core's loop.
 */
public final class MeteredRuntime extends ForwardingRuntime {
  /** Operations under a kubelet's names. */
  private enum Operation {
    STATUS("status"),
    START_CONTAINER("start_container"),
    STOP_CONTAINER("stop_container"),
    REMOVE_CONTAINER("remove_container"),
    UPDATE_CONTAINER("update_container"),
    EXEC_SYNC("exec_sync"),
    RUN_SANDBOX("run_podsandbox"),
    REMOVE_SANDBOX("remove_podsandbox"),
    SANDBOX_STATUS("podsandbox_status"),
    LIST_SANDBOXES("list_podsandbox"),
    SANDBOX_STATS("list_podsandbox_stats"),
    LIST_IMAGES("list_images"),
    IMAGE_STATUS("image_status"),
    PULL_IMAGE("pull_image"),
    REMOVE_IMAGE("remove_image");

    private final String type;

    Operation(String type) {
      this.type = type;
    }
  }

  private final KubeletMeters meters;

  /** Meters of the operations that have been called. */
  private final @Nullable OperationMeter[] operations =
      new OperationMeter[Operation.values().length];

  /**
   * @param meters meters that other runtimes may share
   */
  public MeteredRuntime(ContainerRuntime runtime, KubeletMeters meters) {
    super(runtime);
    this.meters = meters;
  }

  private <T> Future<T> measure(Operation operation, Supplier<Future<T>> call) {
    OperationMeter meter = meter(operation);
    long began = System.nanoTime();
    Future<T> answer;
    try {
      answer = call.get();
    } catch (RuntimeException | Error e) {
      meter.ended(began, true);
      throw e;
    }
    return meter.began(began, answer);
  }

  private OperationMeter meter(Operation operation) {
    OperationMeter known = operations[operation.ordinal()];
    if (known == null) {
      known = meters.operation(operation.type);
      operations[operation.ordinal()] = known;
    }
    return known;
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    return measure(Operation.RUN_SANDBOX, () -> super.runSandbox(pod, attempt));
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt, SandboxConfig config) {
    return measure(Operation.RUN_SANDBOX, () -> super.runSandbox(pod, attempt, config));
  }

  @Override
  public Future<Void> removeSandbox(PodRef pod) {
    return measure(Operation.REMOVE_SANDBOX, () -> super.removeSandbox(pod));
  }

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return measure(Operation.IMAGE_STATUS, () -> super.imageId(node, image));
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    return measure(Operation.PULL_IMAGE, () -> super.pull(pod, container));
  }

  @Override
  public Future<Long> imageSize(String node, String imageId) {
    return measure(Operation.IMAGE_STATUS, () -> super.imageSize(node, imageId));
  }

  @Override
  public Future<List<ImageRecord>> images(String node) {
    return measure(Operation.LIST_IMAGES, () -> super.images(node));
  }

  @Override
  public Future<Void> removeImage(String node, String imageId) {
    return measure(Operation.REMOVE_IMAGE, () -> super.removeImage(node, imageId));
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return measure(
        Operation.START_CONTAINER, () -> super.startContainer(pod, container, attempt, imageId));
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    return measure(
        Operation.START_CONTAINER,
        () -> super.startContainer(pod, container, attempt, imageId, environment));
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    return measure(Operation.STOP_CONTAINER, () -> super.stopContainer(pod, containerId, grace));
  }

  @Override
  public Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    return measure(
        Operation.UPDATE_CONTAINER, () -> super.updateResources(pod, container, containerId));
  }

  @Override
  public Future<Void> removeContainer(PodRef pod, String containerId) {
    return measure(Operation.REMOVE_CONTAINER, () -> super.removeContainer(pod, containerId));
  }

  /** Counts commands only: a kubelet makes all other probes itself, without its runtime. */
  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    return request.probe().handler() instanceof HandlerView.Exec
        ? measure(Operation.EXEC_SYNC, () -> super.probe(request))
        : super.probe(request);
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    return request.handler() instanceof HandlerView.Exec
        ? measure(Operation.EXEC_SYNC, () -> super.runHook(request))
        : super.runHook(request);
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    return measure(Operation.SANDBOX_STATS, () -> super.usage(node));
  }

  @Override
  public Future<NodeUsage> stats(String node) {
    return measure(Operation.SANDBOX_STATS, () -> super.stats(node));
  }

  @Override
  public Future<List<RuntimePod>> list() {
    return measure(Operation.LIST_SANDBOXES, super::list);
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    return measure(Operation.SANDBOX_STATUS, () -> super.restore(pod));
  }

  @Override
  public Future<Void> status() {
    return measure(Operation.STATUS, super::status);
  }
}
