package dev.vertlet.agent;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.adopt.AdoptVerticle;
import dev.vertlet.auth.KubeletAccess;
import dev.vertlet.auth.ServingNames;
import dev.vertlet.backend.ShardProviders;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.AdoptConfig;
import dev.vertlet.config.BuildInfo;
import dev.vertlet.config.ConfiguredNode;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.dynamicconfig.DynamicConfig;
import dev.vertlet.dynamicconfig.KubeletEndpoints;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.events.EventVerticle;
import dev.vertlet.fetch.UrlFetch;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.SteadyClock;
import dev.vertlet.kubelet.HealthzServer;
import dev.vertlet.kubelet.KubeletSecurity;
import dev.vertlet.kubelet.KubeletServer;
import dev.vertlet.kubelet.PodLookup;
import dev.vertlet.kubelet.RouteTable;
import dev.vertlet.kubelet.Security;
import dev.vertlet.kubelet.ServedNodes;
import dev.vertlet.lease.LeaseVerticle;
import dev.vertlet.lease.LeaselessVerticle;
import dev.vertlet.lifecycle.KubeletCore;
import dev.vertlet.lifecycle.KubeletOptions.Profile;
import dev.vertlet.loop.Env;
import dev.vertlet.metrics.NodeMetersVerticle;
import dev.vertlet.model.NodeAddressView;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.nodes.NodeSettings;
import dev.vertlet.nodes.NodeVerticle;
import dev.vertlet.nodes.NodeWatchVerticle;
import dev.vertlet.page.PageVerticle;
import dev.vertlet.pods.PodFeedVerticle;
import dev.vertlet.pods.PodSource;
import dev.vertlet.pods.PodSyncVerticle;
import dev.vertlet.pods.PodWatchVerticle;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderCall;
import dev.vertlet.references.BusReferences;
import dev.vertlet.references.ReferenceWatchVerticle;
import dev.vertlet.replicas.MembershipVerticle;
import dev.vertlet.server.HealthServer;
import dev.vertlet.server.ReadPolicy;
import dev.vertlet.server.Readiness;
import dev.vertlet.sources.NodeSources;
import dev.vertlet.sources.SourceSettings;
import dev.vertlet.sources.SourceVerticle;
import dev.vertlet.status.StatusVerticle;
import dev.vertlet.tracing.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running agent: its verticles, their event loops, and the order in which they start and stop.
 *
 * <p>One loop carries the client of the API server, leases, events and watches. Each shard has a
 * loop for its provider, pod sync, sources, status and nodes; a single shard of simulated nodes
 * shares the first loop. One more loop serves the kubelets' API, so that no stream delays a shard.
 * Writers start before the verticles that cause writes. Everything stops in reverse order, the
 * shards in parallel: the kubelets' API first, then nodes and watches, leases last.
 */
final class Agent implements AgentRunner.Running {
  /** Tenths of a stop's time for the end of pods; the rest is for writes and leases. */
  private static final int DRAIN_TENTHS = 7;

  /** Additional time for a provider that keeps the limit itself. */
  private static final Duration DRAIN_SLACK = Duration.ofMillis(200);

  /** Placeholder name of the adopted nodes; no node can have it. */
  private static final String ADOPTED = "{adopted}";

  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  private final Vertx vertx;
  private final VertletConfig config;
  private final FeatureOptions options;
  private final MeterRegistry metrics;
  private final Bus bus;
  private final Shards shards;

  /** Wall clock, for times that other machines compare with theirs. */
  private final Clock wall = Clock.systemUTC();

  /** Steady clock, for deadlines and ages. */
  private final Clock clock = SteadyClock.ofMachine();

  private final EventLoops loops;
  private final DynamicConfig dynamic;
  private final List<ConfiguredNode> nodes;
  private List<Shard> running = List.of();
  private @Nullable EventLoop server;

  private KubeletEndpoints served = KubeletEndpoints.NONE;
  private AdoptedNodes.Endpoints servedAdopted = AdoptedNodes.Endpoints.NONE;
  private final ShardProviders providers;
  private final PodOrigin pods;

  /** Access to the agent's own metrics and page. */
  private final ObservabilityAccess readers;

  /** Addresses of the nodes' kubelet APIs. */
  private final Promise<Map<String, KubeletEndpoint>> endpoints = Promise.promise();

  private Agent(
      Vertx vertx,
      EventLoops loops,
      Bus bus,
      DynamicConfig dynamic,
      MeterRegistry metrics,
      ObservabilityAccess readers,
      PodOrigin pods) {
    this.readers = readers;
    this.pods = pods;
    this.vertx = vertx;
    this.loops = loops;
    this.bus = bus;
    this.dynamic = dynamic;
    this.config = dynamic.process();
    this.nodes = dynamic.nodes();
    this.options = new FeatureOptions(config);
    this.metrics = metrics;
    this.shards = ShardProviders.shards(config.agent().shards(), nodes, config.adopt());
    this.providers =
        new ShardProviders(vertx, config, options.kubelet(), dynamic.book(), metrics, clock);
  }

  /**
   * Starts an agent. Completes when all its verticles run, which is before its nodes are
   * registered; waits for an absent API server in the background.
   *
   * @param vertx not used by another agent
   * @param exit called when the process has to end so that the next one runs with another config
   * @return fails when the configuration cannot be used: unreadable kubeconfig, port taken
   */
  static Future<Agent> start(
      LoadedConfig loaded, Vertx vertx, MeterRegistry metrics, Runnable exit) {
    return start(loaded, vertx, metrics, exit, PodOrigin.WATCH);
  }

  /** Starts an agent with another source of pods. */
  static Future<Agent> start(
      LoadedConfig loaded, Vertx vertx, MeterRegistry metrics, Runnable exit, PodOrigin pods) {
    VertletConfig local = loaded.config();
    Bus bus = Bus.install(vertx);
    EventLoops loops = new EventLoops(vertx, metrics, new FeatureOptions(local).syncLoopLimit());
    ObservabilityAccess readers = ObservabilityAccess.of(local);
    return loops
        .deploy(loops.main())
        .compose(id -> readers.start(loops))
        .compose(v -> startHealth(local, loops, bus, metrics, readers.door()))
        .compose(
            v ->
                DynamicConfig.boot(
                    loaded, vertx, loops, bus, env(Clock.systemUTC(), metrics), exit))
        .map(dynamic -> new Agent(vertx, loops, bus, dynamic, metrics, readers, pods))
        .compose(Agent::connect)
        .recover(failure -> loops.leave().compose(v -> Future.failedFuture(failure)));
  }

  private Future<Agent> connect() {
    return loops
        .main()
        .call(() -> KubeClient.create(vertx, options.client(), options.access(), metrics))
        .compose(client -> client)
        .onSuccess(this::guard)
        .compose(this::startVerticles)
        .map(v -> this)
        .recover(failure -> stop().otherwiseEmpty().compose(v -> Future.failedFuture(failure)));
  }

  private void guard(KubeClient kube) {
    loops.main().execute(() -> readers.ask(KubeletAccess.ofTokens(vertx, kube, env(wall))));
  }

  private static Future<?> startHealth(
      VertletConfig local, EventLoops loops, Bus bus, MeterRegistry metrics, ReadPolicy door) {
    Set<String> nodes = local.nodeSpecs().stream().map(NodeSpec::name).collect(Collectors.toSet());
    PageVerticle page = page(local, nodes, bus, metrics, door);
    Future<?> shown = page == null ? Future.succeededFuture() : loops.add(loops.main(), () -> page);
    return shown
        .compose(
            v ->
                loops.add(
                    loops.main(),
                    () -> new NodeMetersVerticle(nodes, local.agent().identity(), bus, metrics)))
        .compose(
            v ->
                loops.add(
                    loops.main(),
                    () ->
                        new HealthServer(
                            local.server(),
                            new Readiness(
                                nodes, !local.adopt().isEmpty(), local.agent().identity()),
                            loops.liveness(),
                            bus,
                            metrics,
                            door,
                            page)));
  }

  /** Null if the page is disabled. */
  private static @Nullable PageVerticle page(
      VertletConfig local, Set<String> nodes, Bus bus, MeterRegistry metrics, ReadPolicy door) {
    return local.server().page().enabled()
        ? new PageVerticle(
            nodes,
            new PageVerticle.About(
                local.agent().identity(), BuildInfo.get().version(), BuildInfo.KUBERNETES),
            bus,
            door,
            env(Clock.systemUTC(), metrics))
        : null;
  }

  private Future<?> startVerticles(KubeClient kube) {
    nodes.forEach(n -> kube.limit(n.spec().name(), n.api().perSecond(), n.api().burst()));
    List<String> names = nodes.stream().map(node -> node.spec().name()).toList();
    Map<Integer, List<ConfiguredNode>> divided = new TreeMap<>();
    nodes.forEach(
        node ->
            divided
                .computeIfAbsent(shards.of(node.spec().name()), index -> new ArrayList<>())
                .add(node));
    if (!config.adopt().isEmpty()) {
      // adopted nodes may be assigned to any of these shards
      int first = shards.others() * shards.perProvider();
      for (int i = first; i < first + shards.perProvider(); i++) {
        divided.putIfAbsent(i, List.of());
      }
    }
    List<Shard> all =
        divided.entrySet().stream()
            .map(entry -> shard(entry.getKey(), entry.getValue(), kube))
            .toList();
    return Future.all(
            all.stream()
                .map(Shard::loop)
                .filter(loop -> loop != loops.main())
                .map(loops::deploy)
                .toList())
        .compose(v -> startServer(all, kube))
        .compose(serving -> startRest(names, all, kube).compose(v -> serving))
        .onSuccess(v -> running = all)
        .onSuccess(
            v ->
                LOG.atInfo()
                    .addKeyValue("nodes", names.size())
                    .addKeyValue("identity", config.agent().identity())
                    .log("agent started"));
  }

  private Future<?> startRest(List<String> names, List<Shard> all, KubeClient kube) {
    return add(() -> leases(names, kube))
        .onSuccess(v -> dynamic.tellLeases(config))
        .compose(v -> add(() -> new EventVerticle(dynamic::events, kube, bus, env(clock))))
        .compose(v -> add(() -> new ReferenceWatchVerticle(kube, bus, random())))
        .compose(v -> dynamic.follow(shards, kube, loops.main(), served))
        .compose(v -> tracePods())
        .compose(v -> addToEach(all, Shard::status))
        .compose(v -> addToEach(all, Shard::sync))
        .compose(v -> addToEach(all, Shard::sources))
        .compose(v -> nodes.isEmpty() ? Future.succeededFuture() : add(() -> nodeWatch(kube)))
        .compose(v -> add(() -> podWatch(names, kube)))
        // last, because their pings start everything: all receivers of lease messages listen by
        // then
        .compose(v -> addToEach(all, Shard::nodes))
        // only then does the agent ask for its share of the nodes, which others hand over
        .compose(v -> join(names, kube))
        .compose(v -> adopt(names, kube));
  }

  private Future<?> tracePods() {
    return Tracing.pods(vertx, bus, wall, System::nanoTime)
        .<Future<?>>map(spans -> add(() -> spans))
        .orElse(Future.succeededFuture());
  }

  private NodeWatchVerticle nodeWatch(KubeClient kube) {
    return new NodeWatchVerticle(options.node(), shards, kube, bus, random());
  }

  private Future<?> adopt(List<String> own, KubeClient kube) {
    List<String> selectors = selectors();
    return selectors.isEmpty()
        ? Future.succeededFuture()
        : add(
            () ->
                new AdoptVerticle(
                    selectors,
                    Set.copyOf(own),
                    new AdoptedNodes(
                        dynamic.adopt(),
                        dynamic.book(),
                        kube::limit,
                        shards,
                        bus,
                        vertx,
                        servedAdopted),
                    shards,
                    kube,
                    bus,
                    random()));
  }

  private List<String> selectors() {
    return config.adopt().stream().map(AdoptConfig::labelSelector).toList();
  }

  private Future<?> join(List<String> nodes, KubeClient kube) {
    return config.replicas().enabled()
        ? add(
            () ->
                new MembershipVerticle(
                    options.replicas(), nodes, selectors(), kube, bus, env(wall)))
        : Future.succeededFuture();
  }

  /**
   * Starts to serve the kubelets' API; certificates are read or made meanwhile.
   *
   * @return a future of the rest of the start, which the registration of nodes does not wait for
   */
  private Future<Future<?>> startServer(List<Shard> all, KubeClient kube) {
    if (!config.server().enableServer()) {
      endpoints.complete(Map.of());
      return Future.succeededFuture(Future.succeededFuture());
    }
    Map<String, ServedNodes.ServedNode> homes = new HashMap<>();
    for (Shard shard : all) {
      ServedNodes.ServedNode home = new ServedNodes.ServedNode(shard.provider, shard.loop::execute);
      shard.names.forEach(node -> homes.put(node, home));
    }
    RouteTable routes =
        new RouteTable(
            config,
            new RouteTable.Nodes(served(homes.keySet()), dynamic.book()::config),
            kube,
            new PodLookup(bus, shards, all.stream().map(Shard::index).toList()),
            new ServedNodes(vertx, node -> home(node, homes, all)),
            loops.liveness()::overdue,
            env(clock));
    Security security =
        new KubeletSecurity(
            vertx,
            config.agent().dataDir().resolve("pki"),
            kube,
            options.client().tls(),
            env(wall));
    EventLoop loop = loops.loop("server");
    return loops
        .deploy(loop)
        .map(
            id -> {
              server = loop;
              KubeletServer made =
                  new KubeletServer(
                      config.server(),
                      nodes.stream().map(ConfiguredNode::spec).toList(),
                      adoptedAs(),
                      dynamic::server,
                      security,
                      routes,
                      env(clock));
              made.endpoints().onComplete(endpoints);
              ServedKubelets kubelets = new ServedKubelets(made, loops.main());
              served = kubelets;
              servedAdopted = kubelets;
              return loop.add(() -> made).compose(v -> startHealthz(loop));
            });
  }

  /** Tests for nodes of the configuration, and for nodes adopted so far. */
  private Predicate<String> served(Set<String> made) {
    Set<String> own = Set.copyOf(made);
    ActiveConfigs book = dynamic.book();
    return config.adopt().isEmpty() ? own::contains : node -> own.contains(node) || book.has(node);
  }

  /** Returns a node of the configuration, or one adopted so far; else null. */
  private ServedNodes.@Nullable ServedNode home(
      String node, Map<String, ServedNodes.ServedNode> made, List<Shard> all) {
    ServedNodes.ServedNode home = made.get(node);
    if (home != null || !dynamic.book().has(node)) {
      return home;
    }
    int index = shards.of(node);
    return all.stream()
        .filter(shard -> shard.index == index)
        .findFirst()
        .map(shard -> new ServedNodes.ServedNode(shard.provider, shard.loop::execute))
        .orElse(null);
  }

  /** Names of the serving certificate for adopted nodes: the agent's own and their addresses. */
  private @Nullable ServingNames adoptedAs() {
    if (config.adopt().isEmpty()) {
      return null;
    }
    Map<Boolean, List<String>> addresses =
        config.adopt().stream()
            .flatMap(adopt -> adopt.addresses().stream())
            .collect(
                Collectors.partitioningBy(
                    address -> address.type().endsWith("IP"),
                    Collectors.mapping(NodeAddressView::address, Collectors.toList())));
    return new ServingNames(
        ADOPTED, addresses.getOrDefault(false, List.of()), addresses.getOrDefault(true, List.of()));
  }

  private Future<?> startHealthz(EventLoop loop) {
    int port = config.server().healthzPort();
    return port == 0
        ? Future.succeededFuture()
        : loop.add(() -> new HealthzServer(port, loops.liveness()::overdue));
  }

  private Deployable leases(List<String> nodes, KubeClient kube) {
    return config.lease().enabled()
        ? new LeaseVerticle(
            options.lease(), nodes, config.replicas().enabled(), kube, bus, env(wall))
        : new LeaselessVerticle(nodes, bus);
  }

  private Deployable podWatch(List<String> nodes, KubeClient kube) {
    PodSource source = pods.source();
    return source != null
        ? new PodFeedVerticle(source, nodes, shards, bus)
        : new PodWatchVerticle(
            options.podWatch(), nodes, shards, kube, bus, random(), pods.filter());
  }

  /** The verticles on the loop of one shard. */
  private record Shard(
      int index,
      EventLoop loop,
      List<String> names,
      PodProvider provider,
      Supplier<StatusVerticle> status,
      Supplier<PodSyncVerticle> sync,
      Supplier<SourceVerticle> sources,
      Supplier<NodeVerticle> nodes) {}

  private Shard shard(int index, List<ConfiguredNode> nodes, KubeClient kube) {
    ActiveConfigs book = dynamic.book();
    List<String> names = nodes.stream().map(node -> node.spec().name()).toList();
    String backed =
        ShardProviders.order(this.nodes, config.adopt()).get(index / shards.perProvider());
    PodProvider provider = providers.make(backed, nodes, new BusReferences(bus, index));
    boolean brief = config.agent().profile() == Profile.FAST;
    return new Shard(
        index,
        loop(index, backed),
        names,
        provider,
        () ->
            new StatusVerticle(
                index,
                brief,
                options.statusWindow(),
                kube,
                bus,
                env(clock),
                config.server().page().enabled() || config.tracing().enabled()),
        () -> new PodSyncVerticle(index, names, sourced(nodes), provider, kube, bus, env(clock)),
        () ->
            new SourceVerticle(
                index,
                new SourceSettings(
                    names,
                    name -> book.config(name).node().sources(),
                    name -> new FeatureOptions(book.config(name).config()).sources()),
                new UrlFetch(vertx),
                kube,
                bus,
                env(clock)),
        () ->
            new NodeVerticle(
                index,
                new NodeSettings(
                    names,
                    name -> book.config(name).node().spec(),
                    name -> new FeatureOptions(book.config(name).config()).node(),
                    features(provider)),
                providers.nodes(backed, nodes, provider),
                endpoints.future(),
                kube,
                bus,
                env(clock)));
  }

  /** Returns no features for a provider of whole pods, which declares none. */
  private Function<String, List<String>> features(PodProvider provider) {
    return provider instanceof KubeletCore
        ? node ->
            new FeatureOptions(dynamic.book().config(node).config()).policy().declaredFeatures()
        : node -> List.of();
  }

  private static List<String> sourced(List<ConfiguredNode> nodes) {
    return nodes.stream()
        .map(ConfiguredNode::sources)
        .filter(NodeSources::any)
        .map(NodeSources::node)
        .toList();
  }

  /**
   * Shares the main loop with a single simulated shard: messages within a loop take two thirds of
   * the CPU of others. A loaded provider gets its own loop, because its code may block and must not
   * delay the leases.
   */
  private EventLoop loop(int index, String provider) {
    return config.agent().shards() == 1 && providers.isSimulated(provider)
        ? loops.main()
        : loops.loop("shard " + index);
  }

  /** Adds a verticle to the main loop. */
  private Future<?> add(Supplier<? extends Deployable> verticle) {
    return loops.add(loops.main(), verticle);
  }

  private Future<?> addToEach(
      List<Shard> all, Function<Shard, Supplier<? extends Deployable>> verticle) {
    return loops.addToEach(all, Shard::loop, verticle);
  }

  /**
   * Finishes writes in flight, releases the leases and leaves the pods running, unless {@code
   * agent.drainOnShutdown} ends them.
   *
   * @return completes when all verticles have left
   */
  @Override
  public Future<Void> stop() {
    Future<?> chain = config.agent().drainOnShutdown() ? drain() : Future.succeededFuture();
    return chain.eventually(this::stopServer).eventually(loops::leave).otherwiseEmpty().mapEmpty();
  }

  /** Stops the API first, so that no client sees a half-stopped agent. */
  private Future<?> stopServer() {
    EventLoop loop = server;
    return loop == null
        ? Future.succeededFuture()
        : loop.removeAll().timeout(EventLoops.STEP_SECONDS, SECONDS);
  }

  /** Drains before the verticles stop, as they still write node and pod statuses. */
  private Future<?> drain() {
    Duration limit = config.agent().shutdownTimeout().multipliedBy(DRAIN_TENTHS).dividedBy(10);
    return Future.join(
        running.stream()
            .map(
                shard ->
                    shard
                        .loop
                        .call(() -> ProviderCall.ask(() -> shard.provider.drain(limit)))
                        .compose(drained -> drained)
                        .timeout(limit.plus(DRAIN_SLACK).toMillis(), MILLISECONDS))
            .toList());
  }

  /** Makes the environment of one verticle; its source of randomness is confined to one loop. */
  private Env env(Clock time) {
    return env(time, metrics);
  }

  private static Env env(Clock time, MeterRegistry meters) {
    return new Env(time, System::nanoTime, random(), meters);
  }

  private static RandomGenerator random() {
    return new java.util.SplittableRandom();
  }
}
