package dev.vertlet.sources;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.MIRROR_OBSERVED;
import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.SOURCES_SEEN;
import static dev.vertlet.bus.Addresses.STATIC_POD_ENDED;
import static dev.vertlet.bus.Addresses.STATIC_POD_OBSERVED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodGone;
import dev.vertlet.bus.SourcesSeen;
import dev.vertlet.bus.StaticPodObserved;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.loop.VertxLoop;
import dev.vertlet.manifest.Reading;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.manifest.StaticPods;
import dev.vertlet.manifest.StaticPods.Effect;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the static pods of one shard's nodes from their manifests to the shard, and their mirrors
 * to the API server; sole owner of their {@link StaticPods} and {@link MirrorEntry}s.
 */
public final class SourceVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(SourceVerticle.class);

  private final int shard;
  private final List<NodeSources> sources;
  private final SourceOptions options;
  private final Fetch fetch;
  private final KubeClient kube;
  private final Bus bus;
  private final Clock clock;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final Map<String, StaticPods> pods = new HashMap<>();

  /** The node of each static pod, by UID: no two nodes of a shard may have the same. */
  private final Map<String, String> owners = new HashMap<>();

  private final List<SourcePoll> polls = new ArrayList<>();
  private @Nullable DirectoryWatch watch;

  @SuppressWarnings("NullAway.Init") // set by start
  private MirrorKeeper mirrors;

  /** What follows from readings, in their order: a long list must not hold up the shard. */
  @SuppressWarnings("NullAway.Init") // set by start
  private Slices told;

  /**
   * @param sources of all nodes of this shard, also of those that have none
   * @param fetch reads URLs
   * @param nanos monotonic nanoseconds, for back-off
   */
  public SourceVerticle(
      int shard,
      List<NodeSources> sources,
      SourceOptions options,
      Fetch fetch,
      KubeClient kube,
      Bus bus,
      Clock clock,
      LongSupplier nanos,
      RandomGenerator random) {
    this.shard = shard;
    this.sources = List.copyOf(sources);
    this.options = options;
    this.fetch = fetch;
    this.kube = kube;
    this.bus = bus;
    this.clock = clock;
    this.nanos = nanos;
    this.random = random;
  }

  @Override
  public Future<?> start() {
    List<String> names = sources.stream().map(NodeSources::node).toList();
    VertxLoop loop = new VertxLoop(vertx);
    mirrors = new MirrorKeeper(loop, names, kube, nanos, random);
    told = new Slices(loop);
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
                bus.consume(LEASE_LOST, m -> mirrors.lost(m.node())).completion()))
        .compose(v -> openWatch())
        .onSuccess(v -> sources.forEach(this::begin));
  }

  private Future<?> openWatch() {
    if (sources.stream().allMatch(source -> source.path() == null)) {
      return Future.succeededFuture();
    }
    return DirectoryWatch.open(vertx)
        .onSuccess(opened -> watch = opened)
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("error", String.valueOf(failure))
                    .log(
                        "no directory of manifests can be watched; they are read from time to time"))
        .otherwiseEmpty();
  }

  private void begin(NodeSources node) {
    if (!node.any()) {
      mirrors.sourcesSeen(node.node());
      return;
    }
    pods.put(node.node(), new StaticPods(node.names()));
    Path path = node.path();
    if (path != null) {
      SourcePoll poll =
          poll(node, new FileSource(vertx, path, node.node()), options.fileCheckFrequency());
      if (watch != null) {
        watch.add(path, poll::read);
      }
      poll.read();
    }
    if (node.url() != null) {
      ManifestSource source = new HttpSource(vertx, node.url(), node.node(), fetch);
      poll(node, source, options.httpCheckFrequency()).read();
    }
  }

  private SourcePoll poll(NodeSources node, ManifestSource source, Duration period) {
    Complaints complaints = new Complaints(node.node(), event -> bus.send(OBJECT_EVENT, event));
    SourcePoll poll =
        new SourcePoll(
            vertx,
            node.node(),
            source,
            period,
            reading -> {
              Reading usable = reading.without(pod -> ownedElsewhere(pod, node.node()));
              complaints.of(usable.problems());
              heard(node, source.name(), usable);
            });
    polls.add(poll);
    return poll;
  }

  /** Only a UID that the manifest itself gives can be there twice. */
  private Optional<String> ownedElsewhere(StaticPod pod, String node) {
    String owner = owners.getOrDefault(pod.view().uid(), node);
    return owner.equals(node)
        ? Optional.empty()
        : Optional.of(
            "metadata.uid \"%s\" is that of a pod of node %s; leave it out of a manifest that several nodes read"
                .formatted(pod.view().uid(), owner));
  }

  private void heard(NodeSources node, String source, Reading reading) {
    StaticPods own = pods.get(node.node());
    if (own == null) {
      return;
    }
    boolean before = own.allSeen();
    perform(own.set(source, reading.pods(), clock.instant()));
    if (!before && own.allSeen()) {
      told.add(() -> seen(node.node()));
    }
    Path path = node.path();
    if (watch != null && path != null) {
      watch.refresh(path);
    }
  }

  private void seen(String node) {
    mirrors.sourcesSeen(node);
    bus.publish(SOURCES_SEEN.shard(shard), new SourcesSeen(node));
  }

  private void ended(String uid) {
    StaticPods own = pods.get(owners.getOrDefault(uid, ""));
    if (own != null) {
      perform(own.ended(uid));
    }
  }

  /** Whose a UID is counts at once; the telling may take a while. */
  private void perform(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Run run) {
        owners.put(run.pod().view().uid(), run.pod().view().nodeName());
      } else if (effect instanceof Effect.Forget forget) {
        owners.remove(forget.pod().view().uid());
      }
      told.add(() -> tell(effect));
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
    polls.forEach(SourcePoll::stop);
    return watch == null ? Future.succeededFuture() : watch.close();
  }
}
