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
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.sandbox.StoredConfig;
import dev.vertlet.cri.stream.CriStreams;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.node.Machine;
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
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Container runtime whose containers run on any runtime that speaks CRI v1. */
public final class CriRuntime implements ContainerRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(CriRuntime.class);

  /** Interval at which pods that are over are looked at: their directories go in between. */
  private static final long SWEEP_MILLIS = 2000;

  private static final Path APP_ARMOR = Path.of("/sys/module/apparmor/parameters/enabled");

  private final ProviderSetup setup;
  private final CriOptions options;
  private final Workers workers;
  private final PodMarks marks;
  private final LogPaths logs;
  private final CriClient client;
  private final Sandboxes sandboxes;
  private final SandboxConfigs configs;
  private final CriImages images;
  private final CriProbes probes;
  private final RuntimeState state;
  private final CriStreams streams;
  private final PodCgroups cgroups;

  /** Configurations of sandboxes in which containers are started, by pod. */
  private final Map<String, PodSandboxConfig> given = new HashMap<>();

  private final Map<String, Future<SandboxRecord>> runs = new HashMap<>();
  private final Set<String> nodes = new HashSet<>();
  private RuntimeFeatures features = RuntimeFeatures.NONE;

  @SuppressWarnings("NullAway.Init") // set by start, which is called before any other method
  private PodCache cache;

  @SuppressWarnings("NullAway.Init") // set by start
  private Relist relist;

  @SuppressWarnings("NullAway.Init") // set by start
  private Containers containers;

  @SuppressWarnings("NullAway.Init") // set by start
  private LifecycleEvents events;

  @SuppressWarnings("NullAway.Init") // set by start
  private PodRemoval removal;

  /** Null before the start. */
  private @Nullable NodeServices services;

  private long sweeper = -1;
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
    this.sandboxes = new Sandboxes(client.runtime());
    this.configs = new SandboxConfigs(marks, logs);
    this.images = new CriImages(client.images());
    this.probes = new CriProbes(setup.vertx(), client.runtime());
    this.state = new RuntimeState(client.runtime(), options.socket().toString());
    this.streams = new CriStreams(setup.vertx(), client.runtime(), uid -> cache.pod(uid));
    setup.nodes().forEach(node -> nodes.add(node.name()));
  }

  @Override
  public Future<Void> start(RuntimeListener listener) {
    cache = new PodCache(listener, logs);
    nodes.forEach(cache::serve);
    Inspector inspector = new Inspector(setup.vertx(), client.runtime(), cache);
    relist = new Relist(client.runtime(), sandboxes, cache, inspector, marks);
    containers =
        new Containers(client.runtime(), client.images(), cache, inspector, relist, workers);
    removal = new PodRemoval(cache, sandboxes, cgroups, logs, setup.podsDir(), workers);
    events =
        new LifecycleEvents(
            setup.vertx(),
            client.runtime(),
            client.streams(),
            cache,
            inspector,
            relist,
            () -> removal.sweep());
    NodeServices made = new NodeServices(setup, options, client, cgroups, cache, nodes, listener);
    services = made;
    return workers
        .call(
            () ->
                new HostSettings(
                    Machine.memoryBytes(), seccompDirectory(), options.seccompDefault()))
        .compose(host -> ContainerSetup.prepare(containers, marks, host, workers))
        .compose(ready -> made.start())
        .compose(ready -> readFeatures())
        .compose(ready -> relist.run().recover(this::away))
        .compose(listed -> refuseStranger())
        .onSuccess(
            started -> {
              events.start();
              sweeper = setup.vertx().setPeriodic(SWEEP_MILLIS, due -> removal.sweep());
            });
  }

  private Path seccompDirectory() {
    Path directory = options.seccompDir();
    return directory == null ? setup.podsDir().resolveSibling("seccomp") : directory;
  }

  private Future<Void> readFeatures() {
    return workers
        .call(() -> Files.exists(APP_ARMOR) && Files.readString(APP_ARMOR).startsWith("Y"))
        .compose(appArmor -> state.features(options.runtimeHandler(), appArmor))
        .onSuccess(known -> features = known)
        .mapEmpty();
  }

  /** The agent starts without the runtime: its nodes are not ready until it answers. */
  private Future<Void> away(Throwable failure) {
    LOG.atWarn()
        .addKeyValue("socket", options.socket())
        .addKeyValue("problem", failure.getMessage())
        .log("the container runtime does not answer; its nodes are not ready until it does");
    return Future.succeededFuture();
  }

  private Future<Void> refuseStranger() {
    return relist.stranger().isEmpty()
        ? Future.succeededFuture()
        : failed(
            "SocketInUse",
            "the container runtime at "
                + options.socket()
                + " runs pod "
                + relist.stranger()
                + " of a kubelet, which removes all pods that it does not know: use a runtime of"
                + " its own");
  }

  // ---- the node

  @Override
  public NodeSpec configure(NodeSpec spec) {
    if (nodes.add(spec.name()) && cache != null) {
      cache.serve(spec.name());
    }
    return services == null ? spec : services.configure(spec);
  }

  @Override
  public RuntimeFeatures features() {
    return features;
  }

  @Override
  public Future<Void> status() {
    return state
        .runtimeReady()
        .compose(ready -> services == null ? Future.succeededFuture() : services.refresh())
        .compose(ready -> refuseStranger());
  }

  @Override
  public Future<Void> networkStatus() {
    return state.networkReady();
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
    String uid = start.pod().uid();
    Future<SandboxRecord> running = runs.get(uid);
    if (running != null) {
      return running;
    }
    CachedPod pod = cache.pod(start.pod().ref(), start.pod().nodeName());
    SandboxState there = pod.sandbox();
    if (there != null) {
      return there.attempt() == start.attempt()
          ? Future.succeededFuture(there.record())
          : failed("SandboxExists", "pod " + pod.ref().display() + " has a sandbox already");
    }
    pod.starting(1);
    Future<SandboxRecord> run =
        cgroups
            .prepare(start.pod())
            .compose(parent -> configured(start, parent))
            .compose(
                config ->
                    sandboxes
                        .run(config, options.handler(start.definition().runtimeClassName()))
                        .onSuccess(made -> given.put(uid, config)))
            .map(
                made -> {
                  cache.enter(pod, made);
                  return made.record();
                })
            .onComplete(
                done -> {
                  pod.starting(-1);
                  runs.remove(uid);
                });
    if (!run.isComplete()) {
      runs.put(uid, run);
    }
    return run;
  }

  private Future<PodSandboxConfig> configured(SandboxStart start, String cgroupParent) {
    PodSandboxConfig config;
    try {
      config = configs.of(start, cgroupParent);
    } catch (IllegalArgumentException e) {
      return failed("FailedCreatePodSandBox", String.valueOf(e.getMessage()));
    }
    return workers.call(
        () -> {
          Files.createDirectories(Path.of(config.logDirectory()));
          Path directory = start.directory();
          if (directory != null) {
            StoredConfig.write(directory, config);
          }
          return config;
        });
  }

  @Override
  public Future<Void> removeSandbox(PodRef ref) {
    Future<SandboxRecord> run = runs.get(ref.uid());
    if (run != null) {
      return run.transform(done -> removeSandbox(ref));
    }
    CachedPod pod = cache.pod(ref.uid());
    SandboxState sandbox = pod == null ? null : pod.sandbox();
    if (pod == null || sandbox == null) {
      return Future.succeededFuture();
    }
    pod.stopping(true);
    return sandboxes
        .stop(sandbox.id())
        .compose(
            stopped ->
                Future.join(
                    pod.containers().stream()
                        .filter(container -> !container.ended())
                        .map(container -> containers.awaitEnd(pod, container))
                        .toList()))
        .onSuccess(
            ended -> {
              pod.leave();
              given.remove(ref.uid());
            })
        .onFailure(failure -> pod.stopping(false))
        .mapEmpty();
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
    return failed("DefinitionMissing", "the runtime needs the definition of a pod");
  }

  @Override
  public Future<ContainerRecord> startContainer(ContainerStart start) {
    PodView view = start.view();
    CachedPod pod = cache.pod(view.uid());
    SandboxState sandbox = pod == null ? null : pod.sandbox();
    if (pod == null || sandbox == null || pod.stopping()) {
      return failed("SandboxNotFound", "pod " + view.ref().display() + " has no sandbox");
    }
    return sandboxConfig(start, sandbox)
        .compose(
            config ->
                containers.start(
                    pod,
                    sandbox,
                    new Containers.Order(
                        start, config, SandboxConfigs.furtherGroups(config, start.pod()))))
        .map(CachedContainer::record);
  }

  private Future<PodSandboxConfig> sandboxConfig(ContainerStart start, SandboxState sandbox) {
    String uid = start.view().uid();
    PodSandboxConfig known = given.get(uid);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    Path directory = start.directory();
    return workers
        .call(() -> Optional.ofNullable(directory == null ? null : StoredConfig.read(directory)))
        .map(
            stored ->
                stored.orElseGet(
                    () -> configs.of(start.view(), start.pod(), sandbox.attempt(), null, "")))
        .onSuccess(config -> given.put(uid, config));
  }

  @Override
  public Future<Void> stopContainer(PodRef ref, String containerId, Duration grace) {
    CachedPod pod = cache.pod(ref.uid());
    CachedContainer container = pod == null ? null : pod.container(containerId);
    return pod == null || container == null || container.ended()
        ? Future.succeededFuture()
        : containers.stop(pod, container, grace);
  }

  @Override
  public Future<Void> removeContainer(PodRef ref, String containerId) {
    CachedPod pod = cache.pod(ref.uid());
    CachedContainer container = pod == null ? null : pod.container(containerId);
    if (pod == null || container == null) {
      return Future.succeededFuture();
    }
    return container.ended()
        ? containers.remove(pod, container)
        : failed("RemoveContainerError", "container " + containerId + " has not ended");
  }

  @Override
  public @Nullable Path logFile(PodRef ref, String containerId) {
    CachedPod pod = cache.pod(ref.uid());
    CachedContainer container = pod == null ? null : pod.container(containerId);
    return container == null ? null : container.log();
  }

  @Override
  public boolean resizesContainers() {
    return true;
  }

  @Override
  public Future<Void> updateResources(PodView view, ContainerView container, String containerId) {
    CachedContainer running = containers.running(view.uid(), containerId);
    return running == null || services == null
        ? notRunning(container.name())
        : services.resize(
            new ContainerResizes.Change(
                view, container.name(), running.id(), containers.resources(view, container)));
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    return services == null ? failed("NotStarted", "not started") : services.usage(node);
  }

  // ---- probes, hooks, streams

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    CachedContainer container = containers.running(request.pod().uid(), request.containerId());
    return container == null
        ? notRunning(request.container().name())
        : probes.probe(request, container.id());
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    CachedContainer container = containers.running(request.pod().uid(), request.containerId());
    return container == null
        ? notRunning(request.container().name())
        : probes.hook(request, container.id());
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

  // ---- state

  @Override
  public Future<List<RuntimePod>> list() {
    return relist
        .run()
        .map(
            listed -> {
              removal.sweep();
              List<RuntimePod> all = new ArrayList<>();
              cache.pods().stream()
                  .filter(pod -> pod.sandbox() != null || !pod.containers().isEmpty())
                  .forEach(pod -> all.add(pod.view()));
              return all;
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
    nodes.remove(node);
    cache.release(node);
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
    Future<Void> ended = services == null ? Future.succeededFuture() : services.stop();
    return ended.eventually(streams::close).eventually(client::close);
  }

  private static <T> Future<T> failed(String reason, String message) {
    return Future.failedFuture(new ProviderException(Kind.TEMPORARY, reason, message));
  }
}
