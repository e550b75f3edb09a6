package dev.vertlet.process;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.host.files.Directories;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.node.HostNode;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.ContainerStart;
import dev.vertlet.provider.HookRequest;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.PodInput;
import dev.vertlet.provider.PodStreams;
import dev.vertlet.provider.ProbeRequest;
import dev.vertlet.provider.ProbeResult;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.RuntimePod;
import dev.vertlet.provider.SandboxRecord;
import dev.vertlet.provider.SandboxStart;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Container runtime whose containers are processes of this host. */
final class ProcessRuntime implements ContainerRuntime {
  /** Length of a container's id without its scheme. */
  private static final int ID_LENGTH = 32;

  /** Characters of an id that name its socket, whose path must be short. */
  private static final int SOCKET_NAME = 16;

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
  private final Map<String, HeldPod> pods = new HashMap<>();

  @SuppressWarnings("NullAway.Init") // set by start, which is called before any other method
  private RuntimeListener listener;

  @SuppressWarnings("NullAway.Init") // set by start
  private Launcher launcher;

  @SuppressWarnings("NullAway.Init") // set by start
  private ContainerUsers users;

  /** Null before the start. */
  private @Nullable ProcessNode node;

  @SuppressWarnings("NullAway.Init") // set by start
  private InstanceWatcher watcher;

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
    this.streams = new ProcessStreams(vertx, client, this::find, this::hasSandbox);
    this.probes = new ProbeRunner(vertx, streams);
    this.usage = new UsageReader(setup.podsDir());
  }

  @Override
  public Future<Void> start(RuntimeListener changes) {
    listener = changes;
    Set<String> nodes = setup.nodes().stream().map(NodeSpec::name).collect(Collectors.toSet());
    return workers
        .call(
            () -> {
              prepare(nodes);
              return launcher.findAll(nodes);
            })
        .onSuccess(found -> found.forEach(this::adopt))
        // while that fails, the nodes are not ready
        .compose(adopted -> status().otherwiseEmpty());
  }

  private void prepare(Set<String> nodes) throws IOException {
    Shim.content(); // without one nothing can ever start here
    int longest = socket("0".repeat(ID_LENGTH)).toString().length();
    if (longest > Shim.LONGEST_SOCKET) {
      throw new IOException(
          "the directory "
              + directory
              + " has a path that is "
              + (longest - Shim.LONGEST_SOCKET)
              + " characters too long for Unix sockets in it");
    }
    launcher = new Launcher(shims, new PodDirectories(setup.podsDir()), setup.clock());
    watcher = new InstanceWatcher(vertx, client, launcher, listener);
    users = new ContainerUsers(options, Proc.user(), Proc.group());
    Cgroups cgroups =
        options.cgroup().isEmpty()
            ? Cgroups.OFF
            : Cgroups.open(Files.readAllLines(Path.of("/proc/mounts")), options.cgroup());
    for (String name : nodes) {
      new ContainerCgroups(cgroups).sweep(name);
    }
    node = new ProcessNode(HostNode.read(), cgroups, null);
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

  private ContainerCgroups cgroups() {
    return new ContainerCgroups(node == null ? Cgroups.OFF : node.cgroups());
  }

  private Path socket(String bareId) {
    return shims.sockets().resolve(bareId.substring(0, SOCKET_NAME));
  }

  private String newId() {
    return "%016x%016x".formatted(setup.random().nextLong(), setup.random().nextLong());
  }

  private HeldPod adopt(Launcher.KnownPod found) {
    HeldPod pod = new HeldPod(found.stored());
    pods.put(found.stored().ref().uid(), pod);
    for (Launcher.Known known : found.containers()) {
      Instance instance = new Instance(found.stored().ref(), known.stored(), known.directory());
      pod.add(instance);
      take(instance, known);
      instance.start().complete(instance.record());
      if (instance.running()) {
        watcher.watch(instance);
      } else {
        watcher.over(instance);
      }
    }
    return pod;
  }

  private static void take(Instance instance, Launcher.Known known) {
    if (known.state() != null) {
      instance.started(known.state());
    }
    if (known.exit() != null) {
      instance.endedWith(known.exit());
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
    return runSandbox(pod, attempt, List.of());
  }

  @Override
  public Future<SandboxRecord> runSandbox(SandboxStart start) {
    List<HostPort> ports = new ArrayList<>();
    start.definition().containers().values().stream()
        .flatMap(container -> container.ports().stream())
        .forEach(
            port ->
                ports.add(
                    new HostPort(
                        port.protocol(),
                        port.hostPort() > 0 ? port.hostPort() : port.containerPort())));
    return runSandbox(start.pod(), start.attempt(), ports);
  }

  private Future<SandboxRecord> runSandbox(PodView pod, int attempt, List<HostPort> ports) {
    HeldPod held = pods.get(pod.uid());
    SandboxRecord there = held == null ? null : held.stored().sandbox();
    if (there != null) {
      return there.attempt() == attempt
          ? Future.succeededFuture(there)
          : failed("SandboxExists", "pod " + pod.ref().display() + " has a sandbox already");
    }
    Set<HostPort> others = new HashSet<>();
    pods.values().forEach(other -> others.addAll(other.stored().ports()));
    if (ports.stream().anyMatch(others::contains)) {
      return portsTaken();
    }
    List<String> ips = setup.node(pod.nodeName()).hostIPs();
    SandboxRecord sandbox = new SandboxRecord(newId(), attempt, ips);
    StoredPod stored = new StoredPod(pod.ref(), pod.nodeName(), sandbox, ports);
    HeldPod added = held == null ? new HeldPod(stored) : held;
    StoredPod before = added.stored();
    added.store(stored);
    pods.put(pod.uid(), added);
    return workers
        .call(
            () -> {
              if (ports.stream().anyMatch(HostPort::taken)) {
                return false;
              }
              launcher.store(stored);
              return true;
            })
        .compose(free -> free ? Future.succeededFuture(sandbox) : this.<SandboxRecord>portsTaken())
        .onFailure(
            failure -> {
              if (added.stored() == stored) {
                added.store(before.removed());
                if (added.instances().isEmpty()) {
                  pods.remove(pod.uid(), added);
                }
              }
            });
  }

  private <T> Future<T> portsTaken() {
    return Future.failedFuture(
        new ProviderException(
            Kind.INVALID,
            "NodePorts",
            "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports"));
  }

  @Override
  public Future<Void> removeSandbox(PodRef ref) {
    HeldPod pod = pods.get(ref.uid());
    if (pod == null || pod.stored().sandbox() == null) {
      return Future.succeededFuture(); // its directory may be on its way out
    }
    List<Future<Void>> ends = new ArrayList<>();
    for (Instance instance : pod.instances()) {
      ends.add(
          instance
              .start()
              .future()
              .transform(
                  started -> instance.ended() ? Future.succeededFuture() : end(instance, 0)));
    }
    return Future.join(ends)
        .compose(
            ended -> {
              StoredPod before = pod.stored();
              StoredPod removed = before.removed();
              pod.store(removed);
              return workers
                  .run(
                      () -> {
                        if (Files.exists(launcher.directories().pod(ref.uid()))) {
                          launcher.store(removed);
                        }
                      })
                  .onFailure(failure -> pod.store(before));
            });
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
        ? failed(
            "ErrImageNeverPull",
            "Container image \"%s\" is not present with pull policy of Never: no rule of the provider process maps it"
                .formatted(container.image()))
        : Future.succeededFuture(rule.id());
  }

  // ---- containers

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return start(new Launch(pod, container, attempt, imageId, Map.of(), null));
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod,
      ContainerView container,
      int attempt,
      String imageId,
      Map<String, String> environment) {
    return start(new Launch(pod, container, attempt, imageId, environment, null));
  }

  @Override
  public Future<ContainerRecord> startContainer(ContainerStart start) {
    return start(Launch.of(start));
  }

  private Future<ContainerRecord> start(Launch launch) {
    PodRef ref = launch.pod().ref();
    HeldPod pod = pods.get(ref.uid());
    if (pod == null || pod.stored().sandbox() == null) {
      return failed("SandboxNotFound", "pod " + ref.display() + " has no sandbox");
    }
    String name = launch.container().name();
    Instance there = pod.instance(name, launch.attempt());
    if (there != null) {
      return there.start().future();
    }
    ImageRule image = options.rule(launch.container().image());
    if (image == null) {
      return failed(
          "CreateContainerError", "image " + launch.container().image() + " is not mapped");
    }
    Instance instance;
    try {
      String id = newId();
      StoredContainer stored =
          new StoredContainer(
              StoredContainer.SCHEME + id,
              name,
              launch.attempt(),
              launch.container().image(),
              launch.imageId(),
              socket(id),
              launch.user(users),
              cgroups().of(pod.stored().node(), ref.uid(), id));
      Path own = launcher.directories().container(ref.uid(), name, launch.attempt());
      instance = new Instance(ref, stored, own);
    } catch (ProviderException refused) {
      return Future.failedFuture(refused);
    }
    pod.add(instance);
    workers
        .call(
            () -> launcher.launch(instance.stored(), instance.directory(), launch, image, options))
        .onComplete(
            result -> {
              if (result.succeeded()) {
                launched(instance, result.result());
              } else {
                notLaunched(pod, instance, result.cause());
              }
            });
    return instance.start().future();
  }

  private void launched(Instance instance, Launcher.Known known) {
    take(instance, known);
    Exit exit = known.exit();
    if (exit != null && exit.startFailed()) {
      instance
          .start()
          .fail(new ProviderException(Kind.TEMPORARY, "RunContainerError", exit.error()));
      // after the failure, as a kubelet first hears of it and then of the dead container
      vertx.runOnContext(done -> watcher.report(instance));
      return;
    }
    instance.start().complete(instance.record());
    watcher.report(instance);
    if (!instance.ended()) {
      watcher.watch(instance);
    }
  }

  private void notLaunched(HeldPod pod, Instance instance, Throwable failure) {
    pod.remove(instance);
    workers
        .run(() -> Directories.delete(instance.directory()))
        .onComplete(
            deleted -> {
              instance.endReported();
              instance
                  .start()
                  .fail(
                      failure instanceof ProviderException
                          ? failure
                          : new ProviderException(
                              Kind.TEMPORARY,
                              "RunContainerError",
                              String.valueOf(failure.getMessage())));
            });
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    Instance instance = find(pod, containerId);
    return instance == null || instance.ended()
        ? Future.succeededFuture()
        : end(instance, Math.max(0, grace.toMillis()));
  }

  private Future<Void> end(Instance instance, long graceMillis) {
    instance.stop(graceMillis);
    return instance.end();
  }

  @Override
  public boolean resizesContainers() {
    Cgroups all = cgroups().all();
    return all.limits("cpu") && all.limits("memory");
  }

  @Override
  public Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    Instance instance = find(pod.ref(), containerId);
    if (instance == null || !instance.running()) {
      return notRunning(container.name());
    }
    ContainerLimits limits = ContainerLimits.of(container.resources());
    return workers.run(
        () -> {
          for (Cgroup group : instance.stored().cgroups()) {
            group.limit(limits);
          }
        });
  }

  @Override
  public Future<Void> removeContainer(PodRef ref, String containerId) {
    HeldPod pod = pods.get(ref.uid());
    Instance instance = pod == null ? null : pod.instance(containerId);
    if (pod == null || instance == null) {
      return Future.succeededFuture();
    }
    if (!instance.ended()) {
      return failed("RemoveContainerError", "container " + containerId + " has not ended");
    }
    return workers
        .run(() -> Directories.delete(instance.directory()))
        .onSuccess(deleted -> pod.remove(instance));
  }

  @Override
  public @Nullable Path logFile(PodRef pod, String containerId) {
    Instance instance = find(pod, containerId);
    return instance == null ? null : instance.directory().resolve(LogSegments.CURRENT);
  }

  private @Nullable Instance find(PodRef ref, String containerId) {
    HeldPod pod = pods.get(ref.uid());
    return pod == null ? null : pod.instance(containerId);
  }

  private boolean hasSandbox(PodRef ref) {
    HeldPod pod = pods.get(ref.uid());
    return pod != null && pod.stored().sandbox() != null;
  }

  // ---- probes, hooks, streams, usage

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    Instance instance = find(request.pod().ref(), request.containerId());
    return instance == null || !instance.running()
        ? notRunning(request.container().name())
        : probes.probe(request, instance);
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    Instance instance = find(request.pod().ref(), request.containerId());
    return instance == null || !instance.running()
        ? notRunning(request.container().name())
        : probes.hook(request, instance);
  }

  private static <T> Future<T> notRunning(String container) {
    return Future.failedFuture(
        new ProviderException(
            Kind.NOT_FOUND, "ContainerNotRunning", "container " + container + " does not run"));
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    List<UsageReader.Target> targets = new ArrayList<>();
    for (HeldPod pod : pods.values()) {
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
    watcher.removeLeftCgroups();
    List<HeldPod> over =
        pods.values().stream().filter(pod -> pod.stored().sandbox() == null).toList();
    return workers
        .call(() -> over.stream().filter(this::gone).toList())
        .map(
            gone -> {
              // its directory goes when its object does
              gone.forEach(pod -> pods.remove(pod.stored().ref().uid(), pod));
              return pods.values().stream().map(HeldPod::view).toList();
            });
  }

  private boolean gone(HeldPod pod) {
    return !Files.exists(launcher.directories().pod(pod.stored().ref().uid()));
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    HeldPod held = pods.get(pod.uid());
    if (held != null) {
      return Future.succeededFuture(Optional.of(held.view()));
    }
    return workers
        .call(() -> Optional.ofNullable(launcher.find(pod.ref())))
        .map(
            found -> {
              HeldPod there = pods.get(pod.uid());
              return there != null
                  ? Optional.of(there.view())
                  : found.map(known -> adopt(known).view());
            });
  }

  @Override
  public Future<Void> release(String node) {
    for (HeldPod pod : List.copyOf(pods.values())) {
      if (pod.stored().node().equals(node)) {
        pod.instances().forEach(Instance::forget);
        pods.remove(pod.stored().ref().uid());
      }
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> stop() {
    if (stopped) {
      return Future.succeededFuture();
    }
    stopped = true;
    pods.values().forEach(pod -> pod.instances().forEach(Instance::forget));
    ContainerCgroups own = cgroups();
    return workers
        .run(() -> setup.nodes().forEach(spec -> own.leave(spec.name())))
        .eventually(client::close);
  }

  private static <T> Future<T> failed(String reason, String message) {
    return Future.failedFuture(new ProviderException(Kind.TEMPORARY, reason, message));
  }
}
