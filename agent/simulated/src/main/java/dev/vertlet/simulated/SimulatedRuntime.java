package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.simulated.node.ImageStore;
import dev.vertlet.simulated.rule.Annotations;
import dev.vertlet.simulated.rule.SimulatedRule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Runs containers by rules instead of processes. Each shard has one instance, confined to the
 * shard's context: every method and every listener call runs there.
 *
 * <p>Calls without a delay complete before they return. The listener is notified before the Future
 * of the causing call completes, and always after this object has finished its own work, so that
 * the listener may call back at once. Failures are {@link ProviderException}: INVALID for a pod
 * with invalid annotations, otherwise TEMPORARY.
 */
public final class SimulatedRuntime implements ContainerRuntime {
  private final Clock clock;
  private final Adoption adoption;
  private final DeadlineQueue queue;
  private final PodTable pods;
  private final InstanceDriver driver;
  private final Sandboxes sandboxes;
  private final SimulatedContainers containers;
  private final SimulatedImages images;
  private final SimulatedStreams streams;
  private final Function<String, Map<String, String>> capacity;

  /** Start of the nodes' usage accounting, epoch milliseconds. */
  private final long since;

  /**
   * @param timers timers that fire on the context that sets them: the shard's, or the client
   *     connection's for output to that client
   * @param seed seed of all draws; the same seed draws the same values after a restart
   * @param rules rules of a node by its name, first match wins; called whenever something starts
   * @param podCidr node name to its address range, or to one per family separated by a comma; empty
   *     for a node with only the {@linkplain #sharedRange shared one}. Called whenever a pod needs
   *     an address; ranges of different nodes must not overlap
   * @param capacity node name to the node's capacity: resource name to quantity
   */
  public SimulatedRuntime(
      Clock clock,
      Timers timers,
      long seed,
      Function<String, List<SimulatedRule>> rules,
      Function<String, String> podCidr,
      Function<String, Map<String, String>> capacity) {
    this.capacity = capacity;
    this.clock = clock;
    this.since = clock.millis();
    Planner planner = new Planner(seed, rules);
    this.adoption = new Adoption(planner);
    this.queue = new DeadlineQueue(clock, timers, this::due);
    this.pods = new PodTable(podCidr);
    EndWatches ends = new EndWatches();
    this.driver = new InstanceDriver(clock, queue, pods, ends);
    this.sandboxes = new Sandboxes(clock, queue, pods, planner);
    this.containers = new SimulatedContainers(clock, queue, pods, planner, driver);
    this.images = new SimulatedImages(clock, queue, pods, planner);
    this.streams = new SimulatedStreams(clock, timers, planner, pods, ends);
  }

  /** Creates a runtime whose timers fire on the context that calls its methods. */
  public static SimulatedRuntime create(
      Vertx vertx,
      Clock clock,
      long seed,
      Function<String, List<SimulatedRule>> rules,
      Function<String, String> podCidr,
      Function<String, Map<String, String>> capacity) {
    return new SimulatedRuntime(clock, new VertxTimers(vertx), seed, rules, podCidr, capacity);
  }

  /** Returns the ID of an image on every simulated node: its repository and a digest. */
  public static String idOf(String image) {
    return ImageStore.idOf(image);
  }

  /**
   * Sets the size of each image on its node's disk; 0 by default.
   *
   * @param bytes 0 or more
   */
  public void imageSize(long bytes) {
    images.size(bytes);
  }

  /**
   * Sets a range for pods of nodes whose own addresses are used up; none by default. Nodes of
   * independent runtimes may have the same range: each starts at a position derived from its name.
   *
   * @param range node name to a range, or to one per family separated by a comma; empty for none.
   *     Called whenever a pod needs an address
   */
  public void sharedRange(Function<String, String> range) {
    pods.sharedRange(range);
  }

  /**
   * Sets the size at which a log is rotated; never rotated by default.
   *
   * @param bytes node name to bytes, 1 or more; called whenever a log is read
   */
  public void logSize(ToLongFunction<String> bytes) {
    streams.logSize(bytes);
  }

  /** Returns the number of pods with a sandbox. Thread-safe, for a metric. */
  public int podCount() {
    return pods.count();
  }

  /**
   * Returns the number of container starts, each attempt counted, without restored containers.
   * Thread-safe, for a metric.
   */
  public long startCount() {
    return driver.startCount();
  }

  @Override
  public Future<Void> start(RuntimeListener listener) {
    driver.listen(listener);
    return Future.succeededFuture();
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView view, int attempt) {
    SimulatedPod known = pods.find(view.ref());
    if (known != null && known.sandbox().attempt() >= attempt) {
      return Future.succeededFuture(known.sandbox());
    }
    try {
      Annotations.check(view);
    } catch (ProviderException e) {
      return Future.failedFuture(e);
    }
    if (known != null) {
      remove(known);
    }
    return sandboxes.make(view, attempt);
  }

  @Override
  public Future<Void> removeSandbox(PodRef ref) {
    sandboxes.cancel(ref, "SandboxRemoved", "it was removed before it was made");
    SimulatedPod pod = pods.find(ref);
    if (pod != null) {
      remove(pod);
    }
    return Future.succeededFuture();
  }

  private void remove(SimulatedPod pod) {
    pod.node.spend(pod.nanoSeconds(clock.millis()));
    pods.remove(pod);
    driver.killAll(pod);
  }

  /**
   * Kills the sandbox with all its containers, as a crash of the host would. For tests and fault
   * injection; does nothing when the pod does not exist.
   */
  public void loseSandbox(PodRef ref) {
    SimulatedPod pod = pods.find(ref);
    if (pod != null) {
      pod.node.spend(pod.nanoSeconds(clock.millis()));
      pods.remove(pod);
      driver.lose(pod);
    }
  }

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return Future.succeededFuture(images.find(node, image));
  }

  /** Returns the same size for every image. */
  @Override
  public Future<Long> imageSize(String node, String imageId) {
    return Future.succeededFuture(images.size());
  }

  @Override
  public Future<List<ImageRecord>> images(String node) {
    return Future.succeededFuture(images.list(node));
  }

  @Override
  public Future<Void> removeImage(String node, String imageId) {
    images.remove(node, imageId);
    return Future.succeededFuture();
  }

  @Override
  public Future<String> pull(PodView view, ContainerView container) {
    return images.pull(view, container);
  }

  private void due(Timed element, long now) {
    if (element instanceof DelayedCall<?> call) {
      call.finish();
    } else if (element instanceof Instance instance) {
      driver.advance(instance, now);
    }
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView view, ContainerView container, int attempt, String imageId) {
    return containers.start(view, container, attempt, imageId);
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
  public Future<ProbeResult> probe(ProbeRequest request) {
    return containers.probe(request);
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    return containers.runHook(request);
  }

  /** Claims all features: a simulated container cannot observe a difference. */
  @Override
  public RuntimeFeatures features() {
    return RuntimeFeatures.ALL;
  }

  @Override
  public boolean resizesContainers() {
    return true;
  }

  @Override
  public Future<Void> updateResources(PodView view, ContainerView container, String containerId) {
    return containers.resize(view, container, containerId);
  }

  /** Returns usage by rule; without usage settings and image sizes it measures nothing. */
  @Override
  public Future<NodeUsage> usage(String node) {
    List<SimulatedPod> consumers = pods.consumers(node);
    long bytes = images.bytes(node);
    return Future.succeededFuture(
        consumers.isEmpty() && bytes == 0
            ? NodeUsage.NONE
            : UsageMeter.measure(consumers, bytes, capacity.apply(node), clock.millis()));
  }

  /** Returns usage of all running containers; one without usage settings is idle. */
  @Override
  public Future<NodeUsage> stats(String node) {
    return Future.succeededFuture(
        UsageMeter.measureAll(
            pods.known(node), images.bytes(node), capacity.apply(node), since, clock.millis()));
  }

  /** Serves generated logs, commands of a small shell, and ports. */
  @Override
  public PodStreams streams() {
    return streams;
  }

  @Override
  public Future<List<RuntimePod>> list() {
    return Future.succeededFuture(pods.snapshot());
  }

  /**
   * Rebuilds the pod from its status; empty for a pod that has ended or not started. The result
   * reports containers that ended meanwhile; the listener does not. An address is safe from being
   * allocated again only after its pod was restored: restore all pods of a node before the first
   * {@link #runSandbox} for it.
   */
  @Override
  public Future<Optional<RuntimePod>> restore(PodView view) {
    SimulatedPod known = pods.find(view.ref());
    if (known != null) {
      return Future.succeededFuture(Optional.of(known.snapshot()));
    }
    if (!Adoption.hasSandbox(view)) {
      return Future.succeededFuture(Optional.empty());
    }
    SimulatedPod pod = adoption.adopt(view, pods.node(view.nodeName()), clock.millis());
    pod.node.spend(-pod.nanoSeconds(clock.millis()));
    pods.adopt(pod, startedAt(view));
    pod.instances().forEach(queue::schedule);
    return Future.succeededFuture(Optional.of(pod.snapshot()));
  }

  /** Records the pod's addresses so that they are reused last. */
  @Override
  public void ended(PodView view) {
    if (!view.spec().hostNetwork()) {
      pods.node(view.nodeName()).held(view.status().podIPs(), startedAt(view));
    }
  }

  private static long startedAt(PodView view) {
    Instant started = view.status().startTime();
    return started == null ? 0 : started.toEpochMilli();
  }

  /** Accepts a pod whose containers all run and have no rules for anything after their start. */
  @Override
  public boolean rest(PodView view) {
    if (!pods.rests(view.ref())) {
      SimulatedPod pod = pods.awake(view.ref());
      if (pod == null || !Rest.possible(pod, view) || !driver.idle(pod)) {
        return false;
      }
    }
    pods.rest(view);
    return true;
  }

  @Override
  public RuntimePod wake(PodView view) {
    SimulatedPod pod = pods.find(view.ref());
    return (pod == null ? Rest.wake(view, pods.node(view.nodeName())) : pod).snapshot();
  }

  @Override
  public Future<Void> release(String node) {
    sandboxes.release(node);
    pods.release(node).forEach(driver::abandon);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> status() {
    return Future.succeededFuture();
  }

  /** Leaves containers as they are and fails all pending calls. */
  @Override
  public Future<Void> stop() {
    sandboxes.close();
    for (Timed element : queue.close()) {
      if (element instanceof DelayedCall<?> call) {
        call.fail("RuntimeStopped", "the runtime was stopped");
      }
    }
    driver.abandonAll();
    return Future.succeededFuture();
  }
}
