package dev.vertlet.content;

import dev.vertlet.content.PodVolumeState.Stage;
import dev.vertlet.content.VolumeCollector.Collected;
import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.content.file.FileTasks;
import dev.vertlet.content.file.PodDirectories;
import dev.vertlet.content.file.PodDirectory;
import dev.vertlet.content.file.VolumeUsage;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.ReferenceCache;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.env.ReferenceState;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Volumes of the pods of one shard: prepares volumes before a pod starts, keeps them up to date
 * while it runs, and removes their files. Confined to the shard's loop.
 *
 * <p>A change of an object reaches running pods within 2 s of the agent's notice of it. A content
 * that cannot be computed any longer, because its object is gone, stays as it is, and an event says
 * so.
 */
public final class VolumeManager implements VolumePreparer {
  /** Longest wait for an attempt before its pod is looked at again, milliseconds. */
  private static final long LOOK = 10_000;

  private final PodInput input;
  private final ContentOptions options;
  private final Function<String, Map<String, String>> allocatable;
  private final Function<String, DnsSettings> dns;
  private final @Nullable ReferenceCache<String> cache;
  private final Map<String, PodVolumeState> pods = new HashMap<>();

  private final PodDirectories directories;
  private final EmptyDirUsage usage;
  private final VolumeCollector collector;
  private @Nullable Started started;

  /** What there is from the start on. */
  private record Started(
      ContentServices services, PodDefinitions definitions, VolumeReconciler reconciler) {}

  /**
   * Creates an empty store.
   *
   * @param input what the back end asks for
   * @param references source of ConfigMaps and Secrets, used by this object alone; null without an
   *     API server
   * @param allocatable of a node by its name: resource name to quantity
   * @param dns DNS settings of a node by its name
   */
  public VolumeManager(
      PodInput input,
      ContentOptions options,
      @Nullable ReferenceSource references,
      Function<String, Map<String, String>> allocatable,
      Function<String, DnsSettings> dns) {
    this.input = input;
    this.options = options;
    this.allocatable = allocatable;
    this.dns = dns;
    this.cache =
        references == null || !input.hasContent()
            ? null
            : new ReferenceCache<>(references, this::referenceChanged);
    this.directories = new PodDirectories(options);
    this.usage = new EmptyDirUsage(directories::of);
    this.collector = new VolumeCollector(allocatable, this::look);
  }

  /**
   * Starts the store, before any other method.
   *
   * @param to takes new versions of contents
   */
  void start(
      ProviderContext context,
      CoreLoop loop,
      BiFunction<PodRef, List<VolumeContent>, Future<Void>> to) {
    start(
        context,
        loop,
        new FileTasks.Workers() {
          @Override
          public <T> Future<T> run(Callable<T> task) {
            return context.vertx().executeBlocking(task, false);
          }
        },
        to);
  }

  /** Starts the store with workers of a test's own. */
  void start(
      ProviderContext context,
      CoreLoop loop,
      FileTasks.Workers workers,
      BiFunction<PodRef, List<VolumeContent>, Future<Void>> to) {
    ContentServices services = new ContentServices(context, loop, new FileTasks(loop, workers));
    PodDefinitions definitions = new PodDefinitions(services, this::hold);
    started =
        new Started(
            services,
            definitions,
            new VolumeReconciler(services, input, definitions, collector, this::writer, to));
    if (cache != null) {
      cache.start();
    }
  }

  /** Ends all updates; files stay. */
  void stop() {
    List.copyOf(pods.keySet()).forEach(this::forget);
    if (cache != null) {
      cache.stop();
    }
  }

  PodInput input() {
    return input;
  }

  DnsSettings dns(String node) {
    return dns.apply(node);
  }

  ContentOptions options() {
    return options;
  }

  private Started started() {
    if (started == null) {
      throw new IllegalStateException("the volume manager is not started");
    }
    return started;
  }

  ContentServices services() {
    return started().services();
  }

  private VolumeReconciler reconciler() {
    return started().reconciler();
  }

  private long now() {
    return services().now();
  }

  @Nullable PodVolumeState find(String uid) {
    return pods.get(uid);
  }

  @Override
  public Outcome prepare(PodView view, Runnable progress) {
    if (!input.hasContent()) {
      return new Outcome.Mounted();
    }
    PodVolumeState pod = pods.computeIfAbsent(view.uid(), uid -> new PodVolumeState(view, false));
    pod.view(view);
    Outcome.Failed failure = pod.takeFailure();
    if (failure == null && pod.stage() == Stage.FAILED) {
      reconciler().begin(pod);
      failure = pod.takeFailure();
    }
    if (pod.stage() == Stage.READY) {
      return new Outcome.Mounted();
    }
    if (failure != null) {
      return failure;
    }
    pod.progress(progress);
    return new Outcome.Waiting(now() + LOOK);
  }

  @Override
  public void updated(PodView view) {
    if (!input.hasContent()) {
      return;
    }
    PodVolumeState known = pods.get(view.uid());
    if (directories.isEnding(view.uid())) {
      return;
    }
    if (known == null) {
      PodVolumeState resumed = new PodVolumeState(view, true);
      pods.put(view.uid(), resumed);
      reconciler().begin(resumed);
    } else {
      known.view(view);
      reconciler().changed(known);
    }
  }

  /** Keeps a pod up to date that runs although its volumes cannot all be made. */
  void resume(PodVolumeState pod) {
    reconciler().resume(pod);
  }

  PodDefinitions definitions() {
    return started().definitions();
  }

  private void hold(PodVolumeState pod) {
    if (cache != null && !pod.forgotten()) {
      cache.hold(pod.view().uid(), pod.references(), now());
    }
  }

  private void referenceChanged(String uid) {
    PodVolumeState pod = pods.get(uid);
    if (pod != null) {
      reconciler().referenceChanged(pod);
    }
  }

  ReferenceState look(ReferredKey key) {
    return cache == null
        ? new ReferenceState.Unavailable(
            "couldn't get %s %s/%s, no kubeClient defined"
                .formatted(key.kind().resource(), key.namespace(), key.name()))
        : cache.read(key, now());
  }

  private VolumeWriter writer(PodVolumeState pod) {
    String amount = allocatable.apply(pod.view().nodeName()).getOrDefault("memory", "0");
    return new VolumeWriter(
        directory(pod.view().uid()), options, pod.group(), Quantities.units(amount));
  }

  PodDirectory directory(String uid) {
    return directories.of(uid);
  }

  /** Computes the contents of a pod's volumes, as far as they are known now. */
  Collected collect(PodVolumeState pod) {
    return collector.collect(pod);
  }

  /** Notes the addresses of the pod's sandbox. */
  void addressed(String uid, List<String> ips) {
    PodVolumeState pod = pods.get(uid);
    if (pod != null && !ips.isEmpty()) {
      pod.ips(ips);
    }
  }

  /** The pod's directory goes with its sandbox, or now if it has none. */
  Future<Void> gone(PodRef ref) {
    if (input != PodInput.FILES) {
      return Future.succeededFuture();
    }
    if (pods.containsKey(ref.uid())) {
      directories.leaves(ref.uid());
      return Future.succeededFuture();
    }
    return directories.remove(ref.uid(), services().files());
  }

  /** The pod's sandbox is removed: nothing runs in it. */
  Future<Void> ended(String uid) {
    boolean known = pods.containsKey(uid);
    forget(uid);
    return input == PodInput.FILES
        ? directories.ended(uid, known, services().files())
        : Future.succeededFuture();
  }

  /** Ends the updates of a pod; its files stay. */
  void forget(String uid) {
    PodVolumeState pod = pods.remove(uid);
    if (pod != null) {
      pod.forget();
      pod.updates.cancel(services());
      pod.drop.cancel(services());
      if (cache != null) {
        cache.release(uid);
      }
    }
  }

  /** Ends the updates of a node's pods; their files stay. */
  void release(String node) {
    usage.forget(node);
    for (PodVolumeState pod : List.copyOf(pods.values())) {
      if (pod.view().nodeName().equals(node)) {
        forget(pod.view().uid());
      }
    }
  }

  /** Returns the sizes of the emptyDir volumes of a node's pods, by UID. */
  Future<Map<String, VolumeUsage.Sizes>> emptyDirs(String node) {
    return input == PodInput.FILES
        ? usage.of(node, pods.values(), services())
        : Future.succeededFuture(Map.of());
  }

  /** Returns the pods that have a directory and that this agent has not been asked to run. */
  Future<List<PodDirectory.Found>> orphans() {
    return input == PodInput.FILES
        ? directories.orphans(pods::containsKey, services().files())
        : Future.succeededFuture(List.of());
  }
}
