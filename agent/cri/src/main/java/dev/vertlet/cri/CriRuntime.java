package dev.vertlet.cri;

import dev.vertlet.cri.cgroup.ContainerResizes;
import dev.vertlet.cri.container.CachedContainer;
import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.container.ContainerSetup;
import dev.vertlet.cri.container.Containers;
import dev.vertlet.cri.container.HostSettings;
import dev.vertlet.cri.container.Inspector;
import dev.vertlet.cri.container.LifecycleEvents;
import dev.vertlet.cri.container.PodCache;
import dev.vertlet.cri.container.Relist;
import dev.vertlet.cri.sandbox.LogPaths;
import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.sandbox.PodMarks;
import dev.vertlet.cri.sandbox.SandboxConfigs;
import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.stream.CriStreams;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.node.Machine;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Container runtime whose containers run on any runtime that speaks CRI v1. */
public final class CriRuntime implements ContainerRuntime {
  /** Interval at which pods that are over are looked at: their directories go in between. */
  private static final long SWEEP_MILLIS = 2000;

  /** Interval at which what crashes have left is looked for, which only directories tell. */
  private static final long ORPHANS_MILLIS = 30_000;

  private final ProviderSetup setup;
  private final CriOptions options;
  private final Workers workers;
  private final PodMarks marks;
  private final LogPaths logs;
  private final CriClient client;
  private final CriImages images;
  private final CriProbes probes;
  private final ServedNodes nodes;
  private final CriStreams streams;
  private final PodCgroups cgroups;

  @SuppressWarnings("NullAway.Init") // set by start, which is called before any other method
  private PodCache cache;

  @SuppressWarnings("NullAway.Init") // set by start
  private Relist relist;

  @SuppressWarnings("NullAway.Init") // set by start
  private Containers calls;

  @SuppressWarnings("NullAway.Init") // set by start
  private PodSandboxes sandboxes;

  @SuppressWarnings("NullAway.Init") // set by start
  private PodContainers containers;

  @SuppressWarnings("NullAway.Init") // set by start
  private PodRemoval removal;

  @SuppressWarnings("NullAway.Init") // set by start
  private OrphanRemoval orphans;

  /** Null before the start. */
  private @Nullable LifecycleEvents events;

  /** Null before the start. */
  private @Nullable NodeServices services;

  private long sweeper = -1;
  private long orphanSweeper = -1;
  private boolean stopped;

  public CriRuntime(ProviderSetup setup, CriOptions options) {
    this.setup = setup;
    this.options = options;
    this.workers = new Workers(setup.vertx());
    this.marks = PodMarks.of(setup.podsDir());
    Path logsDir = options.logsDir();
    this.logs = new LogPaths(logsDir == null ? setup.podsDir().resolveSibling("logs") : logsDir);
    this.client = CriClient.of(setup.vertx(), options);
    this.cgroups = NodeServices.cgroups(setup, options, client);
    this.images = new CriImages(client.images());
    this.probes = new CriProbes(setup.vertx(), client.runtime());
    this.nodes =
        new ServedNodes(
            options, new RuntimeState(client.runtime(), options.socket().toString()), workers);
    this.streams = new CriStreams(setup.vertx(), client.runtime(), uid -> cache.pod(uid));
    setup.nodes().forEach(node -> nodes.names().add(node.name()));
  }

  @Override
  public Future<Void> start(RuntimeListener listener) {
    NodeServices made = wire(listener);
    return workers
        .call(
            () ->
                new HostSettings(
                    Machine.memoryBytes(), seccompDirectory(), options.seccompDefault()))
        .compose(host -> ContainerSetup.prepare(calls, marks, host, workers))
        .compose(ready -> nodes.start(cache, relist, made))
        .onSuccess(
            started -> {
              if (events != null && !stopped) {
                events.start();
                sweeper = setup.vertx().setPeriodic(SWEEP_MILLIS, due -> removal.sweep());
                sweepOrphans();
                orphanSweeper = setup.vertx().setPeriodic(ORPHANS_MILLIS, due -> sweepOrphans());
              }
            });
  }

  private NodeServices wire(RuntimeListener listener) {
    cache = new PodCache(listener, logs, setup.abandoned());
    Sandboxes sandboxCalls = new Sandboxes(client.runtime());
    Inspector inspector = new Inspector(setup.vertx(), client.runtime(), cache);
    relist = new Relist(client.runtime(), sandboxCalls, cache, inspector, marks);
    calls = new Containers(client.runtime(), client.images(), inspector, relist, workers);
    removal = new PodRemoval(cache, sandboxCalls, cgroups, logs, setup.podsDir(), workers);
    orphans =
        new OrphanRemoval(
            uid -> cache.pod(uid) != null,
            cgroups,
            logs,
            options.logsDir() == null,
            setup.podsDir(),
            workers);
    sandboxes =
        new PodSandboxes(
            options, sandboxCalls, new SandboxConfigs(marks, logs), cgroups, cache, calls, workers);
    containers = new PodContainers(cache, sandboxes, calls);
    events =
        new LifecycleEvents(
            setup.vertx(),
            client.runtime(),
            client.streams(),
            cache,
            inspector,
            relist,
            removal::sweep);
    NodeServices made =
        new NodeServices(setup, options, client, cgroups, cache, nodes.names(), listener);
    services = made;
    return made;
  }

  private void sweepOrphans() {
    if (relist.done()) {
      var unused = orphans.sweep();
    }
  }

  private Path seccompDirectory() {
    Path directory = options.seccompDir();
    return directory == null ? setup.podsDir().resolveSibling("seccomp") : directory;
  }

  // ---- the node

  @Override
  public NodeSpec configure(NodeSpec spec) {
    return nodes.configure(spec);
  }

  @Override
  public RuntimeFeatures features() {
    return nodes.features();
  }

  @Override
  public Future<Void> status() {
    return nodes.status();
  }

  @Override
  public Future<Void> networkStatus() {
    return nodes.networkStatus();
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    return services == null
        ? ProviderFailures.temporary("NotStarted", "not started")
        : services.usage(node);
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
    return unused();
  }

  @Override
  public Future<SandboxRecord> runSandbox(SandboxStart start) {
    return sandboxes.run(start);
  }

  @Override
  public Future<Void> removeSandbox(PodRef ref) {
    return sandboxes.stop(ref);
  }

  // ---- images

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return images.id(image);
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    return pull(pod, container, null);
  }

  @Override
  public Future<String> pull(
      PodView pod, ContainerView container, @Nullable RegistryCredential credential) {
    return images.pull(container.image(), credential, null);
  }

  @Override
  public Future<Long> imageSize(String node, String imageId) {
    return images.size(imageId);
  }

  @Override
  public Future<List<ImageRecord>> images(String node) {
    return images
        .list()
        .compose(all -> services == null ? Future.succeededFuture(all) : services.pinned(all));
  }

  @Override
  public Future<Void> removeImage(String node, String imageId) {
    return images.remove(imageId);
  }

  // ---- containers

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return unused();
  }

  /** A method that the agent does not call on a runtime with {@link PodInput#FILES}. */
  private static <T> Future<T> unused() {
    return ProviderFailures.temporary(
        "DefinitionMissing", "the runtime needs the definition of a pod");
  }

  @Override
  public Future<ContainerRecord> startContainer(ContainerStart start) {
    return containers.start(start);
  }

  @Override
  public Future<Void> stopContainer(PodRef ref, String containerId, Duration grace) {
    return containers.stop(ref, containerId, grace);
  }

  @Override
  public Future<Void> removeContainer(PodRef ref, String containerId) {
    return containers.remove(ref, containerId);
  }

  @Override
  public @Nullable Path logFile(PodRef ref, String containerId) {
    return containers.log(ref, containerId);
  }

  @Override
  public boolean resizesContainers() {
    return true;
  }

  @Override
  public Future<Void> updateResources(PodView view, ContainerView container, String containerId) {
    CachedContainer running = containers.running(view.uid(), containerId);
    return running == null || services == null
        ? ProviderFailures.notRunning(container.name())
        : services.resize(
            new ContainerResizes.Change(
                view, container.name(), running.id(), calls.resources(view, container)));
  }

  // ---- probes, hooks, streams

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    CachedContainer container = containers.running(request.pod().uid(), request.containerId());
    return container == null
        ? ProviderFailures.notRunning(request.container().name())
        : probes.probe(request, container.id());
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    CachedContainer container = containers.running(request.pod().uid(), request.containerId());
    return container == null
        ? ProviderFailures.notRunning(request.container().name())
        : probes.hook(request, container.id());
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  // ---- state

  @Override
  public Future<List<RuntimePod>> list() {
    return relist
        .run()
        .map(
            listed -> {
              removal.sweep();
              return cache.pods().stream()
                  .filter(pod -> pod.sandbox() != null || !pod.containers().isEmpty())
                  .map(CachedPod::view)
                  .toList();
            });
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView view) {
    if (relist.done() && cache.pod(view.uid()) != null) {
      return Future.succeededFuture(known(view));
    }
    return relist.run().map(listed -> known(view));
  }

  private Optional<RuntimePod> known(PodView view) {
    CachedPod pod = cache.pod(view.uid());
    return pod == null ? Optional.empty() : Optional.of(pod.view());
  }

  @Override
  public Future<Void> release(String node) {
    nodes.release(node);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> stop() {
    if (stopped) {
      return Future.succeededFuture();
    }
    stopped = true;
    if (events != null) {
      events.stop();
    }
    setup.vertx().cancelTimer(sweeper);
    setup.vertx().cancelTimer(orphanSweeper);
    Future<Void> ended = services == null ? Future.succeededFuture() : services.stop();
    return ended.eventually(streams::close).eventually(client::close);
  }
}
