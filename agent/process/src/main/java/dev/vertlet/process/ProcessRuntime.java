package dev.vertlet.process;

import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.node.HostNode;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.process.shim.Shim;
import dev.vertlet.process.shim.ShimClient;
import dev.vertlet.process.shim.ShimState;
import dev.vertlet.process.usage.UsageReader;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Container runtime whose containers are processes of this host. */
final class ProcessRuntime implements ContainerRuntime {
  private final Vertx vertx;
  private final Workers workers;
  private final ProviderSetup setup;
  private final ProcessOptions options;
  private final Path directory;
  private final Shims shims;
  private final ShimClient client;
  private final UsageReader usage;
  private final ProbeRunner probes;
  private final ProcessStreams streams;
  private final HeldPods pods = new HeldPods();

  @SuppressWarnings("NullAway.Init") // set by start, which is called before any other method
  private RuntimeListener listener;

  @SuppressWarnings("NullAway.Init") // set by start
  private Sandboxes sandboxes;

  @SuppressWarnings("NullAway.Init") // set by start
  private Containers containers;

  @SuppressWarnings("NullAway.Init") // set by start
  private Adoption adoption;

  /** Null before the start. */
  private @Nullable ProcessNode node;

  private boolean stopped;

  ProcessRuntime(ProviderSetup setup, ProcessOptions options) {
    this.vertx = setup.vertx();
    this.workers = new Workers(vertx);
    this.setup = setup;
    this.options = options;
    Path own = options.directory();
    this.directory = own == null ? setup.podsDir().resolveSibling("process") : own;
    // an agent that is process 1 would be left with ended shims, and Java waits for no strangers
    this.shims = new Shims(directory, options, ProcessHandle.current().pid() == 1);
    this.client = new ShimClient(vertx);
    this.streams = new ProcessStreams(vertx, client, pods::instance, pods::hasSandbox);
    this.probes = new ProbeRunner(vertx, streams);
    this.usage = new UsageReader(setup.podsDir());
  }

  @Override
  public Future<Void> start(RuntimeListener changes) {
    listener = changes;
    Set<String> nodes = setup.nodes().stream().map(NodeSpec::name).collect(Collectors.toSet());
    return workers
        .call(() -> prepare(nodes).findAll(nodes))
        .onSuccess(found -> found.forEach(adoption::adopt))
        // while that fails, the nodes are not ready
        .compose(adopted -> status().otherwiseEmpty());
  }

  private Launcher prepare(Set<String> nodes) throws IOException {
    shims.check();
    Launcher launcher = new Launcher(shims, new PodDirectories(setup.podsDir()), setup.clock());
    InstanceWatcher watcher = new InstanceWatcher(vertx, client, launcher, listener);
    ContainerCgroups cgroups =
        new ContainerCgroups(
            options.cgroup().isEmpty()
                ? Cgroups.OFF
                : Cgroups.open(Files.readAllLines(Path.of("/proc/mounts")), options.cgroup()));
    for (String name : nodes) {
      cgroups.sweep(name);
    }
    node = new ProcessNode(HostNode.read(), cgroups.all(), null);
    ContainerUsers users = new ContainerUsers(options, Proc.user(), Proc.group());
    containers = new Containers(setup, options, pods, launcher, watcher, users, cgroups);
    sandboxes = new Sandboxes(setup, pods, launcher, containers);
    adoption = new Adoption(workers, pods, launcher, watcher);
    return launcher;
  }

  // ---- the node

  @Override
  public NodeSpec configure(NodeSpec spec) {
    return node == null ? spec : node.over(spec);
  }

  @Override
  public List<NodeConditionView> conditions(String name) {
    return node == null ? List.of() : List.of(node.condition());
  }

  @Override
  public Future<Void> status() {
    return workers
        .call(
            () -> {
              Shim shim = shims.get();
              if (!Files.isWritable(directory)) {
                throw new IOException("the directory " + directory + " is not writable");
              }
              return shim.mounts();
            })
        .onSuccess(this::mountsKnown)
        .mapEmpty();
  }

  private void mountsKnown(MountMode mode) {
    if (node != null && !mode.equals(node.mounts())) {
      node = node.with(mode);
      setup.nodes().forEach(spec -> listener.nodeChanged(spec.name()));
    }
  }

  // ---- sandboxes

  @Override
  public PodInput input() {
    return PodInput.FILES;
  }

  @Override
  public boolean usesEnvironment() {
    return true;
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    return sandboxes.run(pod, attempt, List.of());
  }

  @Override
  public Future<SandboxRecord> runSandbox(SandboxStart start) {
    return sandboxes.run(start.pod(), start.attempt(), Sandboxes.ports(start.definition()));
  }

  @Override
  public Future<Void> removeSandbox(PodRef ref) {
    return sandboxes.remove(ref);
  }

  // ---- images

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return Future.succeededFuture(Optional.ofNullable(options.rule(image)).map(ImageRule::id));
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    ImageRule rule = options.rule(container.image());
    return rule == null
        ? ProviderFailures.temporary(
            "ErrImageNeverPull",
            "Container image \"%s\" is not present with pull policy of Never: no rule of the provider process maps it"
                .formatted(container.image()))
        : Future.succeededFuture(rule.id());
  }

  // ---- containers

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return containers.start(new Launch(pod, container, attempt, imageId, Map.of(), null));
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    return containers.start(new Launch(pod, container, attempt, imageId, environment, null));
  }

  @Override
  public Future<ContainerRecord> startContainer(ContainerStart start) {
    return containers.start(Launch.of(start));
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    return containers.stop(pods.instance(pod, containerId), Math.max(0, grace.toMillis()));
  }

  @Override
  public boolean resizesContainers() {
    return node != null && node.cgroups().limits("cpu") && node.cgroups().limits("memory");
  }

  @Override
  public Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    return containers.resize(pod.ref(), containerId, container);
  }

  @Override
  public Future<Void> removeContainer(PodRef ref, String containerId) {
    return containers.remove(ref, containerId);
  }

  @Override
  public @Nullable Path logFile(PodRef pod, String containerId) {
    Instance instance = pods.instance(pod, containerId);
    return instance == null ? null : instance.directory().resolve(LogSegments.CURRENT);
  }

  // ---- probes, hooks, streams, usage

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    Instance instance = pods.instance(request.pod().ref(), request.containerId());
    return instance == null || !instance.running()
        ? ProviderFailures.notRunning(request.container().name())
        : probes.probe(request, instance);
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    Instance instance = pods.instance(request.pod().ref(), request.containerId());
    return instance == null || !instance.running()
        ? ProviderFailures.notRunning(request.container().name())
        : probes.hook(request, instance);
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    List<UsageReader.Target> targets = new ArrayList<>();
    for (HeldPod pod : pods.all()) {
      if (!pod.stored().node().equals(node)) {
        continue;
      }
      for (Instance instance : pod.instances()) {
        ShimState shim = instance.shim();
        if (instance.running() && shim != null) {
          targets.add(
              new UsageReader.Target(
                  pod.stored().ref().uid(), instance.stored().name(), instance.directory(), shim));
        }
      }
    }
    return workers.call(() -> usage.read(targets, setup.clock().instant()));
  }

  // ---- state

  @Override
  public Future<List<RuntimePod>> list() {
    return adoption.list();
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    return adoption.restore(pod);
  }

  @Override
  public Future<Void> release(String node) {
    adoption.release(node);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> stop() {
    if (stopped) {
      return Future.succeededFuture();
    }
    stopped = true;
    pods.all().forEach(pod -> pod.instances().forEach(Instance::forget));
    ContainerCgroups own = new ContainerCgroups(node == null ? Cgroups.OFF : node.cgroups());
    return workers
        .run(() -> setup.nodes().forEach(spec -> own.leave(spec.name())))
        .eventually(client::close);
  }
}
