package dev.vertlet.provider.container;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Delegates to another runtime; subclasses override what they change. */
public abstract class ForwardingRuntime implements ContainerRuntime {
  private final ContainerRuntime runtime;

  protected ForwardingRuntime(ContainerRuntime runtime) {
    this.runtime = runtime;
  }

  @Override
  public Future<Void> start(RuntimeListener listener) {
    return runtime.start(listener);
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    return runtime.runSandbox(pod, attempt);
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt, SandboxConfig config) {
    return runtime.runSandbox(pod, attempt, config);
  }

  @Override
  public PodInput input() {
    return runtime.input();
  }

  @Override
  public Future<SandboxRecord> runSandbox(SandboxStart start) {
    return runtime.runSandbox(start);
  }

  @Override
  public Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    return runtime.contentChanged(pod, volumes);
  }

  @Override
  public Future<Void> removeSandbox(PodRef pod) {
    return runtime.removeSandbox(pod);
  }

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return runtime.imageId(node, image);
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    return runtime.pull(pod, container);
  }

  @Override
  public Future<String> pull(
      PodView pod, ContainerView container, @Nullable RegistryCredential credential) {
    return runtime.pull(pod, container, credential);
  }

  @Override
  public Future<Long> imageSize(String node, String imageId) {
    return runtime.imageSize(node, imageId);
  }

  @Override
  public Future<List<ImageRecord>> images(String node) {
    return runtime.images(node);
  }

  @Override
  public Future<Void> removeImage(String node, String imageId) {
    return runtime.removeImage(node, imageId);
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return runtime.startContainer(pod, container, attempt, imageId);
  }

  @Override
  public boolean usesEnvironment() {
    return runtime.usesEnvironment();
  }

  @Override
  public boolean mounts(String volumeKind) {
    return runtime.mounts(volumeKind);
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    return runtime.startContainer(pod, container, attempt, imageId, environment);
  }

  @Override
  public Future<ContainerRecord> startContainer(ContainerStart start) {
    return runtime.startContainer(start);
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    return runtime.stopContainer(pod, containerId, grace);
  }

  @Override
  public boolean resizesContainers() {
    return runtime.resizesContainers();
  }

  @Override
  public Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    return runtime.updateResources(pod, container, containerId);
  }

  @Override
  public Future<Void> removeContainer(PodRef pod, String containerId) {
    return runtime.removeContainer(pod, containerId);
  }

  @Override
  public @Nullable Path logFile(PodRef pod, String containerId) {
    return runtime.logFile(pod, containerId);
  }

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    return runtime.probe(request);
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    return runtime.runHook(request);
  }

  @Override
  public PodStreams streams() {
    return runtime.streams();
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    return runtime.usage(node);
  }

  @Override
  public Future<NodeUsage> stats(String node) {
    return runtime.stats(node);
  }

  @Override
  public NodeSpec configure(NodeSpec spec) {
    return runtime.configure(spec);
  }

  @Override
  public List<NodeConditionView> conditions(String node) {
    return runtime.conditions(node);
  }

  @Override
  public Future<List<RuntimePod>> list() {
    return runtime.list();
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    return runtime.restore(pod);
  }

  @Override
  public void ended(PodView pod) {
    runtime.ended(pod);
  }

  @Override
  public boolean rest(PodView pod) {
    return runtime.rest(pod);
  }

  @Override
  public RuntimePod wake(PodView pod) {
    return runtime.wake(pod);
  }

  @Override
  public Future<Void> release(String node) {
    return runtime.release(node);
  }

  @Override
  public Future<Void> status() {
    return runtime.status();
  }

  @Override
  public RuntimeFeatures features() {
    return runtime.features();
  }

  @Override
  public Future<Void> networkStatus() {
    return runtime.networkStatus();
  }

  @Override
  public Future<Void> stop() {
    return runtime.stop();
  }
}
