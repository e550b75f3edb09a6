package dev.vertlet.configsync;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODE_CONFIG_STATUS_CHANGED;
import static dev.vertlet.bus.Addresses.NODE_GONE;
import static dev.vertlet.bus.Addresses.NODE_OBSERVED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.Shards;
import dev.vertlet.configsync.ConfigAction.Operation;
import dev.vertlet.configsync.ConfigTarget.Change;
import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.ConfigMapRef;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.DeclaredSources;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.CheckpointStore;
import dev.vertlet.configsync.store.DiskFiles;
import dev.vertlet.configsync.store.StoreFiles;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.model.node.NodeView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes each own node run with the config that its object declares; sole owner of the nodes' {@link
 * ConfigSync}s.
 *
 * @param <C> type of a decoded payload
 */
public final class ConfigSyncVerticle<C> extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigSyncVerticle.class);

  /** Kubelets check every ten seconds whether a trial is over. */
  private static final long TICK_MILLIS = 10_000;

  /** Stores that write concurrently; each write waits for the disk. */
  private static final int WORKERS = 20;

  private final Settings settings;
  private final ConfigTarget<C> target;
  private final Promise<KubeClient> kube = Promise.promise();
  private final Bus bus;
  private final Env env;

  @SuppressWarnings("NullAway.Init") // set by start
  private ConfigMaps maps;

  /** Used by stores only: a hanging disk does not delay other blocking calls. */
  @SuppressWarnings("NullAway.Init") // set by start
  private WorkerExecutor workers;

  @SuppressWarnings("NullAway.Init") // set by start
  private LoadTurns turns;

  private final StoreFiles files;
  private final ConfigMeters meters;
  private final DeclaredSources sources;
  private final Map<String, Entry> nodes = new LinkedHashMap<>();

  /**
   * Settings of the verticle.
   *
   * @param directory {@code configSync.dynamicConfigDir}
   * @param nodes in order; the first one's store is the directory itself
   * @param allowedNamespaces {@code configSync.allowedNamespaces}
   * @param trial {@code configSync.trialDuration}: how long a config must run before it counts as
   *     good
   * @param exitOnChange {@code agent.configChangeMode: exit}: a change ends the process, and the
   *     next process runs it
   * @param history {@code configSync.checkpointHistory}
   */
  public record Settings(
      Path directory,
      List<String> nodes,
      Set<String> allowedNamespaces,
      Duration trial,
      boolean exitOnChange,
      int history) {
    public Settings {
      nodes = List.copyOf(nodes);
      allowedNamespaces = Set.copyOf(allowedNamespaces);
    }
  }

  /**
   * Result of the start from disk: nodes that run with a config and may be registered, and why the
   * others may not.
   */
  public record Booted(Set<String> serving, Map<String, String> withheld) {
    public Booted {
      serving = Set.copyOf(serving);
      withheld = Map.copyOf(withheld);
    }
  }

  public ConfigSyncVerticle(Settings settings, ConfigTarget<C> target, Bus bus, Env env) {
    this(settings, target, bus, env, new DiskFiles());
  }

  ConfigSyncVerticle(
      Settings settings, ConfigTarget<C> target, Bus bus, Env env, StoreFiles files) {
    this.files = files;
    this.settings = settings;
    this.target = target;
    this.bus = bus;
    this.env = env;
    this.meters = new ConfigMeters(env.meters());
    this.sources = new DeclaredSources(settings.allowedNamespaces());
  }

  /** Completes when every store is open; see {@link #booted} and {@link #follow}. */
  @Override
  public Future<?> start() {
    maps = new ConfigMaps(vertx, kube.future(), this::touched);
    workers = vertx.createSharedWorkerExecutor("vertlet-configs", WORKERS);
    turns = new LoadTurns(vertx);
    for (String node : settings.nodes()) {
      Path root = settings.directory();
      boolean first = nodes.isEmpty();
      Path own = first ? root : CheckpointStore.directory(root, node);
      nodes.put(node, new Entry(node, new CheckpointStore(files, own, node, this::suffix)));
    }
    vertx.setPeriodic(
        TICK_MILLIS,
        id -> nodes.values().forEach(e -> e.tell(new ConfigEvent.Tick(env.clock().instant()))));
    return Future.all(nodes.values().stream().map(Entry::open).toList());
  }

  /**
   * Starts to follow the cluster. Called once, on any thread, before any node is registered.
   *
   * @param shards how nodes are divided
   * @param references watches ConfigMaps
   */
  public Future<?> follow(Shards shards, ReferenceSource references, KubeClient client) {
    Promise<Object> following = Promise.promise();
    context.runOnContext(
        v -> listen(shards, references, client).<Object>mapEmpty().onComplete(following));
    return following.future();
  }

  private Future<?> listen(Shards shards, ReferenceSource references, KubeClient client) {
    kube.complete(client);
    maps.follow(references);
    List<Future<?>> ready = new ArrayList<>();
    ready.add(
        bus.consume(LEASE_ACQUIRED, m -> with(m.node(), e -> e.status.served(true))).completion());
    ready.add(
        bus.consume(LEASE_LOST, m -> with(m.node(), e -> e.status.served(false))).completion());
    settings.nodes().stream()
        .map(shards::of)
        .distinct()
        .forEach(
            shard -> {
              ready.add(
                  bus.consume(NODE_OBSERVED.shard(shard), m -> onObserved(m.node())).completion());
              ready.add(
                  bus.consume(NODE_GONE.shard(shard), m -> with(m.node(), Entry::gone))
                      .completion());
            });
    return Future.all(ready);
  }

  @Override
  public Future<?> stop() {
    nodes.values().forEach(Entry::stop);
    maps.stop();
    meters.stop();
    return turns.close().eventually(() -> workers.close());
  }

  /**
   * Completes when each node has chosen its config from disk, without an API server.
   *
   * @return must be called on the verticle's context; fails when a store cannot be used
   */
  public Future<Booted> booted() {
    return Future.join(nodes.values().stream().map(entry -> entry.booted.future()).toList())
        .map(
            all -> {
              Set<String> serving = new LinkedHashSet<>();
              Map<String, String> withheld = new LinkedHashMap<>();
              nodes.forEach(
                  (name, entry) -> {
                    String why = entry.booted.future().result();
                    if (why.isEmpty()) {
                      serving.add(name);
                    } else {
                      withheld.put(name, why);
                    }
                  });
              return new Booted(serving, withheld);
            });
  }

  private String suffix() {
    return HexFormat.of().toHexDigits(env.random().nextLong());
  }

  private void with(String node, Consumer<Entry> action) {
    Entry entry = nodes.get(node);
    if (entry != null) {
      action.accept(entry);
    }
  }

  private void onObserved(NodeView node) {
    with(node.name(), entry -> entry.observed(node));
  }

  private void touched(ConfigMapRef ref, Set<String> wanting) {
    wanting.forEach(node -> with(node, e -> e.tell(new ConfigEvent.ConfigMapTouched())));
  }

  /** One node, and its operation in progress. */
  private final class Entry {
    private final String node;
    private final ConfigOperations<C> operations;
    private final ConfigSync sync =
        new ConfigSync(settings.trial(), settings.exitOnChange(), env.random());
    private final StatusWrites status;

    /** Empty if the node may serve, else why not. */
    private final Promise<String> booted = Promise.promise();

    private String uid = "";
    private DeclaredSource declared = new DeclaredSource.None(Channel.NONE);
    private long retry = -1;
    private boolean stopped;

    Entry(String node, CheckpointStore store) {
      this.node = node;
      this.operations = new ConfigOperations<>(node, store, target, maps, turns, workers);
      this.status = new StatusWrites(node, kube.future(), env.clock(), env.random());
    }

    Future<?> open() {
      return operations
          .open(env.clock().instant())
          .onSuccess(stored -> tell(new ConfigEvent.Started(stored)))
          .onFailure(booted::tryFail);
    }

    void stop() {
      stopped = true;
      status.stop();
      vertx.cancelTimer(retry);
    }

    void observed(NodeView object) {
      boolean added = !object.uid().equals(uid);
      uid = object.uid();
      declared =
          sources.read(object.annotations().get(DeclaredSources.ANNOTATION), object.configSource());
      status.observed(object);
      tell(new ConfigEvent.NodeSeen(declared, added, added ? good(object) : null));
    }

    /** Last known good config in the Node's status, if its namespace is allowed. */
    private @Nullable ResolvedSource good(NodeView object) {
      return NodeConfigStatus.lastKnownGood(object.annotations().get(StatusWrites.STATUS))
          .filter(good -> settings.allowedNamespaces().contains(good.source().namespace()))
          .orElse(null);
    }

    void gone() {
      uid = "";
      status.gone();
      tell(new ConfigEvent.NodeDeleted());
    }

    void tell(ConfigEvent event) {
      if (!stopped) {
        sync.on(event).forEach(this::perform);
        if (meters.update(node, sync.facts())) {
          bus.publish(NODE_CONFIG_STATUS_CHANGED, sync.facts().stood(node));
        }
      }
    }

    private void perform(ConfigAction action) {
      if (action instanceof Operation operation) {
        operations.perform(operation).onComplete(answer -> tell(answer.result()));
      } else if (action instanceof ConfigAction.WriteStatus write) {
        status.write(new StatusWrites.FullStatus(write.status(), write.condition(), detail()));
      } else if (action instanceof ConfigAction.Watch watch) {
        maps.watch(node, watch.configMaps());
      } else if (action instanceof ConfigAction.ScheduleRetry schedule) {
        vertx.cancelTimer(retry);
        retry = vertx.setTimer(schedule.delay().toMillis(), id -> tell(new ConfigEvent.RetryDue()));
      } else if (action instanceof ConfigAction.SendEvent send) {
        event(send.source());
      } else if (action instanceof ConfigAction.Serve) {
        booted.tryComplete("");
      } else if (action instanceof ConfigAction.GiveUp giveUp) {
        LOG.atError()
            .addKeyValue("node", node)
            .addKeyValue("error", giveUp.cause())
            .log("no config of the node can be used");
        booted.tryComplete(giveUp.cause());
      } else if (action instanceof ConfigAction.Exit) {
        target.exit();
      } else if (action instanceof ConfigAction.MissSeed missed) {
        LOG.atWarn()
            .addKeyValue("node", node)
            .addKeyValue("config", missed.good().apiPath())
            .addKeyValue("error", missed.cause())
            .log("previous last known good config is lost; the local config replaces it");
      } else if (action instanceof ConfigAction.CollectGarbage) {
        collect();
      } else if (action instanceof ConfigAction.Complain complain) {
        LOG.atWarn()
            .addKeyValue("node", node)
            .addKeyValue("error", complain.cause())
            .log(complain.error().text());
      }
    }

    private ConfigDetail detail() {
      Change change = operations.change();
      return new ConfigDetail(
          declared.channel(),
          sync.trialEndsAt().orElse(null),
          change.ignored(),
          change.restarted(),
          sync.facts().active() == null && change == Change.NONE ? "" : "hot",
          ConfigDetail.hash(declared));
    }

    private void collect() {
      Future<?> unused =
          operations
              .collect(sync.facts().active(), settings.history(), env.clock().instant())
              .onFailure(
                  failure ->
                      LOG.atWarn()
                          .addKeyValue("node", node)
                          .addKeyValue("error", ConfigOperations.text(failure))
                          .log("unneeded checkpoints cannot be removed"));
    }

    private void event(@Nullable ResolvedSource source) {
      // a kubelet's message if the effect is the same as a kubelet's
      String does = settings.exitOnChange() ? "Kubelet restarting to use" : "vertlet now uses";
      String message =
          source == null
              ? does + " local config"
              : "%s %s, UID: %s, ResourceVersion: %s, KubeletConfigKey: %s"
                  .formatted(
                      does,
                      source.apiPath(),
                      source.uid(),
                      source.resourceVersion(),
                      source.source().key());
      bus.send(
          OBJECT_EVENT,
          new ObjectEvent(
              "Node",
              "",
              node,
              node,
              "",
              ObjectEvent.NORMAL,
              "KubeletConfigChanged",
              message,
              node));
    }
  }
}
