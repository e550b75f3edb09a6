package dev.vertlet.sources;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.MIRROR_OBSERVED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.SOURCES_READY;
import static dev.vertlet.bus.Addresses.STATIC_POD_ENDED;
import static dev.vertlet.bus.Addresses.STATIC_POD_OBSERVED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodGone;
import dev.vertlet.bus.SourcesReady;
import dev.vertlet.bus.StaticPodObserved;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.VertxLoop;
import dev.vertlet.manifest.SourceContents;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.manifest.StaticPods;
import dev.vertlet.manifest.StaticPods.Effect;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the static pods in the manifests of one shard's nodes, and their mirror pods to the API
 * server; sole owner of the nodes' {@link StaticPods} and {@link MirrorEntry}s.
 */
public final class SourceVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(SourceVerticle.class);

  private final int shard;
  private final List<String> names;
  private final SourceSettings settings;
  private final Fetch fetch;
  private final KubeClient kube;
  private final Bus bus;
  private final Env env;
  private final Map<String, StaticPods> pods = new HashMap<>();

  /** The node of each static pod, by UID: two nodes of a shard must not have the same UID. */
  private final Map<String, String> owners = new HashMap<>();

  private final Map<String, Begun> begun = new HashMap<>();
  private @Nullable DirectoryWatch watch;

  @SuppressWarnings("NullAway.Init") // set by start
  private MirrorKeeper mirrors;

  /** Effects of readings, in order: a long list must not block the shard. */
  @SuppressWarnings("NullAway.Init") // set by start
  private Slices slices;

  /** A node's configuration and its running polls. */
  private record Begun(NodeSources sources, SourceOptions options, List<SourcePoll> polls) {}

  /**
   * Creates the verticle.
   *
   * @param fetch reads URLs
   */
  public SourceVerticle(
      int shard, SourceSettings settings, Fetch fetch, KubeClient kube, Bus bus, Env env) {
    this.shard = shard;
    this.names = List.copyOf(settings.names());
    this.settings = settings;
    this.fetch = fetch;
    this.kube = kube;
    this.bus = bus;
    this.env = env;
  }

  @Override
  public Future<?> start() {
    VertxLoop loop = new VertxLoop(vertx);
    mirrors = new MirrorKeeper(loop, names, kube, env.nanos(), env.random());
    kube.whenServerReturns(mirrors::serverReturned);
    slices = new Slices(loop);
    return Future.all(
            List.of(
                bus.consume(STATIC_POD_ENDED.shard(shard), m -> ended(m.pod().uid())).completion(),
                bus.consume(MIRROR_OBSERVED.shard(shard), m -> mirrors.observed(m.pod()))
                    .completion(),
                bus.consume(POD_GONE.shard(shard), m -> mirrors.gone(m.pod())).completion(),
                bus.consume(NODE_REGISTERED, m -> mirrors.registered(m.node(), m.uid()))
                    .completion(),
                bus.consume(PODS_SYNCED, m -> mirrors.synced(m.nodes(), m.term())).completion(),
                bus.consume(LEASE_ACQUIRED, m -> mirrors.acquired(m.node(), m.term())).completion(),
                bus.consume(LEASE_LOST, m -> mirrors.lost(m.node())).completion(),
                bus.consume(NODE_CONFIGURED.shard(shard), m -> onConfigured(m.node())).completion(),
                bus.consume(NODE_ADOPTED.shard(shard), m -> onAdopted(m.node())).completion(),
                bus.consume(NODE_RELEASED.shard(shard), m -> onReleased(m.node())).completion()))
        .compose(v -> openWatch(names))
        .onSuccess(v -> names.forEach(this::begin));
  }

  /** Opens a watch service if one of the nodes has a directory and there is none yet. */
  private Future<?> openWatch(List<String> nodes) {
    if (watch != null
        || nodes.stream().allMatch(node -> settings.sources().apply(node).path() == null)) {
      return Future.succeededFuture();
    }
    return DirectoryWatch.open(vertx)
        .onSuccess(opened -> watch = opened)
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("error", String.valueOf(failure))
                    .log("no manifest directory can be watched; polling them"))
        .otherwiseEmpty();
  }

  private void begin(String name) {
    NodeSources node = settings.sources().apply(name);
    if (!node.any()) {
      mirrors.sourcesSeen(name);
    }
    begin(node, settings.options().apply(name));
  }

  private void begin(NodeSources node, SourceOptions times) {
    Begun now = new Begun(node, times, new ArrayList<>());
    begun.put(node.node(), now);
    if (!node.any()) {
      return;
    }
    pods.computeIfAbsent(node.node(), name -> new StaticPods(node.names())).configure(node.names());
    Path path = node.path();
    if (path != null) {
      SourcePoll poll =
          poll(now, new FileSource(vertx, path, node.node()), times.fileCheckFrequency());
      if (watch != null) {
        watch.add(path, poll);
      }
      poll.read();
    }
    if (node.url() != null) {
      ManifestSource source = new HttpSource(vertx, node.url(), node.node(), fetch);
      poll(now, source, times.httpCheckFrequency()).read();
    }
  }

  /** Adds an adopted node, which has no static pods; apparent mirror pods are deleted. */
  private void onAdopted(String name) {
    mirrors.add(name);
    begin(name);
  }

  private void onReleased(String name) {
    Begun old = begun.remove(name);
    if (old != null) {
      end(old);
    }
    mirrors.remove(name);
  }

  private void onConfigured(String name) {
    Begun old = begun.get(name);
    if (old == null
        || (old.sources().equals(settings.sources().apply(name))
            && old.options().equals(settings.options().apply(name)))) {
      return;
    }
    end(old);
    Future<?> unused =
        openWatch(List.of(name))
            .onComplete(
                opened -> {
                  if (begun.remove(name, old)) {
                    NodeSources now = settings.sources().apply(name);
                    begin(now, settings.options().apply(name));
                    forget(old.sources(), now.names());
                  }
                });
  }

  private void end(Begun old) {
    for (SourcePoll poll : old.polls()) {
      poll.stop();
      Path path = old.sources().path();
      if (watch != null && path != null) {
        watch.remove(path, poll);
      }
    }
  }

  /**
   * Empties the sources that the node no longer has; a source that replaces another one of its name
   * is read itself.
   */
  private void forget(NodeSources old, Set<String> still) {
    StaticPods own = pods.get(old.node());
    for (String source : old.names()) {
      if (own != null && !still.contains(source)) {
        perform(own.set(source, List.of(), env.clock().instant()));
      }
    }
  }

  private SourcePoll poll(Begun begun, ManifestSource source, Duration period) {
    NodeSources node = begun.sources();
    Complaints complaints = new Complaints(node.node(), event -> bus.send(OBJECT_EVENT, event));
    SourcePoll poll =
        new SourcePoll(
            vertx,
            node.node(),
            source,
            period,
            reading -> {
              SourceContents usable = reading.without(pod -> ownedElsewhere(pod, node.node()));
              complaints.of(usable.problems());
              heard(node, source.name(), usable);
            });
    begun.polls().add(poll);
    return poll;
  }

  /**
   * Rejects a pod whose UID another node has: only a UID in the manifest itself can occur twice.
   */
  private Optional<String> ownedElsewhere(StaticPod pod, String node) {
    String owner = owners.getOrDefault(pod.view().uid(), node);
    return owner.equals(node)
        ? Optional.empty()
        : Optional.of(
            "metadata.uid \"%s\" is that of a pod of node %s; leave it out of a manifest that several nodes read"
                .formatted(pod.view().uid(), owner));
  }

  private void heard(NodeSources node, String source, SourceContents reading) {
    StaticPods own = pods.get(node.node());
    if (own == null) {
      return;
    }
    boolean before = own.allSeen();
    perform(own.set(source, reading.pods(), env.clock().instant()));
    if (!before && own.allSeen()) {
      slices.add(() -> seen(node.node()));
    }
    Path path = node.path();
    if (watch != null && path != null) {
      watch.refresh(path);
    }
  }

  private void seen(String node) {
    mirrors.sourcesSeen(node);
    bus.publish(SOURCES_READY.shard(shard), new SourcesReady(node));
  }

  private void ended(String uid) {
    StaticPods own = pods.get(owners.getOrDefault(uid, ""));
    if (own != null) {
      perform(own.ended(uid));
    }
  }

  /** Assigns UIDs immediately; publishing may take a while. */
  private void perform(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Run run) {
        owners.put(run.pod().view().uid(), run.pod().view().nodeName());
      } else if (effect instanceof Effect.Forget forget) {
        owners.remove(forget.pod().view().uid());
      }
      slices.add(() -> tell(effect));
    }
  }

  private void tell(Effect effect) {
    if (effect instanceof Effect.Run run) {
      tell(run.pod());
      mirrors.run(run.pod());
    } else if (effect instanceof Effect.End end) {
      tell(end.pod());
      mirrors.end(end.pod());
    } else if (effect instanceof Effect.Forget forget) {
      StaticPod pod = forget.pod();
      bus.publish(POD_GONE.shard(shard), new PodGone(pod.ref()));
      mirrors.forget(pod);
    }
  }

  private void tell(StaticPod pod) {
    bus.publish(STATIC_POD_OBSERVED.shard(shard), new StaticPodObserved(pod.view(), pod.json()));
  }

  @Override
  public Future<?> stop() {
    begun.values().forEach(node -> node.polls().forEach(SourcePoll::stop));
    return watch == null ? Future.succeededFuture() : watch.close();
  }
}
