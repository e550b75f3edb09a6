package dev.vertlet.stages.cluster;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODES_ASSIGNED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.kube.client.ApiCatalog;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.meter.Metric;
import dev.vertlet.stages.play.LifeCycle;
import dev.vertlet.stages.play.Player;
import dev.vertlet.stages.play.StageCompiler;
import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.spec.ResourceRef;
import dev.vertlet.stages.spec.Stage;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plays the stages of all kinds. */
public final class StagesVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(StagesVerticle.class);

  private static final Metric PLAYED =
      Metric.counter("vertlet_stages_played_total", "stages", "that were played to their end");
  private static final Metric OBJECTS =
      Metric.gauge("vertlet_stages_objects", "objects", "whose stages this agent plays");
  private static final Metric IN_FLIGHT =
      Metric.gauge("vertlet_stages_in_flight", "stages", "that are being played");

  /** Leases come in bursts: nodes whose pods were left out are listed together. */
  private static final long SETTLE_MILLIS = 250;

  private static final long LONGEST_SETTLE_MILLIS = 2_000;

  private final StagesOptions options;
  private final StageNodes stageNodes;
  private final KubeClient kube;
  private final Bus bus;
  private final Clock clock;
  private final RandomGenerator random;
  private final Map<ResourceRef, KindPlayer> players = new ConcurrentHashMap<>();
  private final NodeBook nodes;
  private final PodAddresses addresses = new PodAddresses();
  private final ClusterFunctions functions;
  private final StageCompiler compiler;
  private final Members members;

  /** Nodes with pods that were left out because the node was not served or not known. */
  private final Set<String> leftOut = new HashSet<>();

  private final Map<ResourceRef, Relist> relists = new HashMap<>();
  private @Nullable StageServices services;
  private @Nullable FileJournal journal;
  private @Nullable ClusterStages cluster;
  private long playsOfEnded;

  /**
   * Creates the verticle.
   *
   * @param stageNodes nodes whose stages are played
   * @param clock wall clock: delays end at times of day
   * @param random confined to the verticle's context
   */
  public StagesVerticle(
      StagesOptions options,
      StageNodes stageNodes,
      KubeClient kube,
      Bus bus,
      Clock clock,
      RandomGenerator random,
      MeterRegistry meters) {
    this.options = options;
    this.stageNodes = stageNodes;
    this.kube = kube;
    this.bus = bus;
    this.clock = clock;
    this.random = random;
    this.nodes = new NodeBook(stageNodes);
    this.functions = new ClusterFunctions(nodes, addresses);
    this.compiler = new StageCompiler(clock, random, functions.all(clock, options.version()));
    this.members = new Members(options.identity(), options.shared());
    PLAYED.counter(meters, this, v -> v.sum(Player::plays) + v.playsOfEnded);
    OBJECTS.gauge(meters, () -> sum(Player::size));
    IN_FLIGHT.gauge(meters, () -> sum(Player::inFlight));
  }

  private long sum(ToDoubleFunction<Player> figure) {
    return (long)
        List.copyOf(players.values()).stream()
            .mapToDouble(p -> figure.applyAsDouble(p.player()))
            .sum();
  }

  @Override
  public Future<?> start() {
    return Future.all(
            bus.consume(LEASE_ACQUIRED, m -> onServed(m.node(), true)).completion(),
            bus.consume(LEASE_LOST, m -> onServed(m.node(), false)).completion(),
            bus.consume(NODES_ASSIGNED, this::onAssigned).completion())
        .compose(v -> FileJournal.open(vertx, options.journal()))
        .onSuccess(this::begin);
  }

  private void begin(FileJournal opened) {
    journal = opened;
    ApiCatalog catalog = new ApiCatalog(kube);
    services =
        new StageServices(
            vertx,
            context,
            kube,
            catalog,
            new KubeSender(kube, catalog, bus, random, options.identity()),
            opened,
            clock,
            random,
            options.seed());
    if (options.fromCluster()) {
      ClusterStages watched = new ClusterStages(vertx, kube, random, compiler, this::use);
      cluster = watched;
      watched.start();
    }
    use(List.of());
  }

  /** Plays the stages of the files, and these. */
  private void use(Collection<Stage> fromCluster) {
    List<Stage> all = new ArrayList<>(options.stages());
    all.addAll(fromCluster);
    Map<ResourceRef, LifeCycle> lifeCycles = new LinkedHashMap<>();
    if (stageNodes.any()) {
      // templates of pods need their nodes, whether or not these have stages
      lifeCycles.put(ResourceRef.NODE, LifeCycle.EMPTY);
    }
    lifeCycles.putAll(compiler.compile(all));
    if (!stageNodes.any()) {
      warnOf(lifeCycles.remove(ResourceRef.NODE), "nodes");
      warnOf(lifeCycles.remove(ResourceRef.POD), "pods");
    }
    List.copyOf(players.keySet()).stream()
        .filter(kind -> !lifeCycles.containsKey(kind))
        .forEach(this::end);
    lifeCycles.forEach(this::play);
  }

  private static void warnOf(@Nullable LifeCycle lifeCycle, String kind) {
    if (lifeCycle != null) {
      LOG.warn(
          "the stages of {} are not played: no node of this agent has the provider \"stages\"",
          kind);
    }
  }

  private void end(ResourceRef kind) {
    KindPlayer ended = players.remove(kind);
    if (ended != null) {
      playsOfEnded += ended.player().plays();
      LOG.info("no more stages of {}", kind);
      var unused = ended.stop();
    }
  }

  private void play(ResourceRef kind, LifeCycle lifeCycle) {
    KindPlayer known = players.get(kind);
    if (known != null) {
      known.use(lifeCycle);
      return;
    }
    StageServices given = services;
    if (given == null) {
      throw new IllegalStateException("stages are played after the start");
    }
    KindPlayer player = new KindPlayer(given, kind, lifeCycle, scope(kind));
    players.put(kind, player);
    KindPlayer nodePlayer = players.get(ResourceRef.NODE);
    if (kind.equals(ResourceRef.POD) && nodePlayer != null) {
      // the addresses of pods need their nodes
      nodePlayer.listed().onSuccess(v -> player.start());
    } else {
      player.start();
    }
  }

  private Scope scope(ResourceRef kind) {
    if (kind.equals(ResourceRef.NODE)) {
      return new NodeScope();
    }
    return kind.equals(ResourceRef.POD) ? new PodScope() : new SharedScope();
  }

  private void onServed(String node, boolean served) {
    boolean before = nodes.plays(node);
    nodes.served(node, served);
    boolean plays = nodes.plays(node);
    KindPlayer player = players.get(ResourceRef.NODE);
    if (plays && player != null) {
      StageObject kept = nodes.kept(node);
      if (kept != null) {
        player.take(kept);
      }
      if (leftOut.contains(node)) {
        relistLater(ResourceRef.POD);
      }
    } else if (before && !plays) {
      relistLater(ResourceRef.NODE);
      relistLater(ResourceRef.POD);
    }
  }

  /** Lists once more when no further node has come or gone for a moment. */
  private void relistLater(ResourceRef kind) {
    Relist pending = relists.computeIfAbsent(kind, k -> new Relist(clock.millis(), -1));
    boolean settled = clock.millis() - pending.since() >= LONGEST_SETTLE_MILLIS;
    if (settled && pending.timer() >= 0) {
      return;
    }
    vertx.cancelTimer(pending.timer());
    long timer =
        vertx.setTimer(
            SETTLE_MILLIS,
            id -> {
              relists.remove(kind);
              KindPlayer player = players.get(kind);
              if (kind.equals(ResourceRef.POD)) {
                leftOut.clear();
              }
              if (player != null) {
                player.relist();
              }
            });
    relists.put(kind, new Relist(pending.since(), timer));
  }

  private record Relist(long since, long timer) {}

  private void onAssigned(NodesAssigned assigned) {
    if (members.set(assigned.owners().values())) {
      players.values().stream()
          .filter(player -> !player.kind().isNodeOrPod())
          .forEach(KindPlayer::relist);
    }
  }

  @Override
  public Future<?> stop() {
    List<Future<?>> ending = new ArrayList<>();
    players.values().forEach(player -> ending.add(player.stop()));
    if (cluster != null) {
      ending.add(cluster.stop());
    }
    FileJournal written = journal;
    return Future.join(ending)
        .otherwiseEmpty()
        .compose(v -> written == null ? Future.succeededFuture() : written.flush());
  }

  private final class NodeScope implements Scope {
    /** By UID. */
    private final Map<String, String> names = new HashMap<>();

    @Override
    public void observed(StageObject object) {
      names.put(object.uid(), object.name());
      if (nodes.observed(object) && leftOut.contains(object.name())) {
        relistLater(ResourceRef.POD);
      }
      if (!nodes.plays(object.name())) {
        nodes.keep(object);
      }
    }

    @Override
    public boolean owns(StageObject object) {
      return nodes.plays(object.name());
    }

    @Override
    public String labelSelector() {
      return stageNodes.labelSelector();
    }

    @Override
    public void gone(String uid) {
      String name = names.remove(uid);
      if (name != null) {
        nodes.gone(name);
      }
    }

    @Override
    public void rendering(StageObject object) {
      functions.rendering(object);
    }
  }

  private final class PodScope implements Scope {
    /** By UID: a bound pod stays on its node, and its spec need not be parsed for that again. */
    private final Map<String, String> nodeNames = new HashMap<>();

    private String node(StageObject pod) {
      String known = nodeNames.get(pod.uid());
      if (known != null) {
        return known;
      }
      String node = pod.nodeName();
      if (!node.isEmpty()) {
        nodeNames.put(pod.uid(), node);
      }
      return node;
    }

    @Override
    public void relisting() {
      nodeNames.clear();
    }

    @Override
    public String fieldSelector() {
      String only = stageNodes.onlyOne();
      return only.isEmpty() ? "spec.nodeName!=" : "spec.nodeName=" + only;
    }

    @Override
    public boolean owns(StageObject object) {
      String node = node(object);
      boolean own = nodes.playsPodsOf(node);
      if (!own) {
        leftOut.add(node);
      }
      return own;
    }

    @Override
    public void observed(StageObject object) {
      String node = node(object);
      if (nodes.playsPodsOf(node)) {
        addresses.observed(object, nodes.podCidrs(node));
      }
    }

    @Override
    public void gone(String uid) {
      nodeNames.remove(uid);
      addresses.released(uid);
    }

    @Override
    public void rendering(StageObject object) {
      functions.rendering(object);
    }
  }

  private final class SharedScope implements Scope {
    @Override
    public boolean owns(StageObject object) {
      return members.isOwn(object);
    }

    @Override
    public void rendering(StageObject object) {
      functions.rendering(object);
    }
  }
}
