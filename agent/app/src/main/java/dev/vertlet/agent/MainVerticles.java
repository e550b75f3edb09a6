package dev.vertlet.agent;

import dev.vertlet.adopt.AdoptVerticle;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.config.AgentConfig;
import dev.vertlet.config.StagesConfig;
import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.dynamicconfig.DynamicConfig;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.events.EventRecorderVerticle;
import dev.vertlet.events.EventVerticle;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.lease.LeaseVerticle;
import dev.vertlet.lease.LeaselessVerticle;
import dev.vertlet.nodes.NodeWatchVerticle;
import dev.vertlet.pods.PodFeedVerticle;
import dev.vertlet.pods.PodSource;
import dev.vertlet.pods.PodWatchVerticle;
import dev.vertlet.replicas.MembershipVerticle;
import dev.vertlet.stages.cluster.StagesOptions;
import dev.vertlet.stages.cluster.StagesVerticle;
import dev.vertlet.tracing.Tracing;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The verticles that exist once per agent, on the main loop, and the order in which they and those
 * of the shards start.
 */
final class MainVerticles {
  private final AgentResources agent;
  private final StartupConfig config;
  private final DynamicConfig dynamic;
  private final AgentHooks hooks;
  private final KubeClient kube;

  MainVerticles(AgentResources agent, StartupConfig config, AgentHooks hooks, KubeClient kube) {
    this.agent = agent;
    this.config = config;
    this.dynamic = config.dynamic();
    this.hooks = hooks;
    this.kube = kube;
  }

  /**
   * Starts the verticles, writers before those that cause writes.
   *
   * @param factory makes the shards' verticles
   * @param api opened before
   */
  Future<?> start(ShardSet shards, ShardFactory factory, KubeletApi api) {
    return agent
        .add(this::leases)
        .onSuccess(v -> dynamic.tellLeases(config.process()))
        .compose(v -> selfManaged())
        .compose(v -> agent.add(this::events))
        .compose(v -> agent.add(() -> factory.references(kube)))
        .compose(v -> dynamic.follow(config.shards(), kube, agent.loops().main(), api))
        .compose(v -> tracePods())
        .compose(v -> shards.addToEach(shard -> factory.status(shard, kube)))
        .compose(v -> shards.addToEach(shard -> factory.sync(shard, kube)))
        .compose(v -> shards.addToEach(shard -> factory.sources(shard, kube)))
        .compose(v -> watchNodes())
        .compose(v -> agent.add(this::podWatch))
        .compose(v -> stages(api))
        // last, because their pings start everything: all receivers of lease messages listen by
        // then
        .compose(v -> shards.addToEach(shard -> factory.nodes(shard, kube, api.endpoints())))
        // only then does the agent ask for its share of the nodes, which others hand over
        .compose(v -> join())
        .compose(v -> adopt(api));
  }

  private Deployable leases() {
    return config.process().lease().enabled()
        ? new LeaseVerticle(
            config.options().lease(),
            config.names(),
            config.process().replicas().enabled(),
            kube,
            agent.bus(),
            agent.wallEnv())
        : new LeaselessVerticle(config.names(), agent.bus());
  }

  private Future<?> selfManaged() {
    boolean beside =
        config.process().lease().enabled()
            && config.process().adopt().stream().anyMatch(AdoptConfig::selfManaged);
    return beside
        ? agent.add(() -> LeaselessVerticle.selfManaged(agent.bus()))
        : Future.succeededFuture();
  }

  private Deployable events() {
    Consumer<ObjectEvent> recorder = hooks.events();
    return recorder != null
        ? new EventRecorderVerticle(recorder, agent.bus())
        : new EventVerticle(dynamic::events, kube, agent.bus(), agent.steadyEnv());
  }

  private Future<?> tracePods() {
    return Tracing.pods(agent.vertx(), agent.bus(), agent.wall(), System::nanoTime)
        .<Future<?>>map(spans -> agent.add(() -> spans))
        .orElse(Future.succeededFuture());
  }

  private Future<?> watchNodes() {
    return config.nodes().isEmpty()
        ? Future.succeededFuture()
        : agent.add(
            () ->
                new NodeWatchVerticle(
                    config.options().node(), config.shards(), kube, agent.bus(), agent.random()));
  }

  private Deployable podWatch() {
    PodSource source = hooks.pods();
    return source != null
        ? new PodFeedVerticle(source, config.names(), config.shards(), agent.bus())
        : new PodWatchVerticle(
            config.options().podWatch(),
            config.names(),
            config.shards(),
            kube,
            agent.bus(),
            agent.random(),
            hooks.filter());
  }

  /** Plays stages on a loop of their own: rendering must not delay the leases. */
  private Future<?> stages(KubeletApi api) {
    StagesConfig stages = config.process().stages();
    ServedStageNodes nodes = new ServedStageNodes(config, api.endpoints());
    if (!stages.enabled() && !nodes.any()) {
      return Future.succeededFuture();
    }
    EventLoop loop = agent.loops().loop("stages");
    AgentConfig settings = config.process().agent();
    return agent
        .loops()
        .deploy(loop)
        .compose(id -> agent.vertx().executeBlocking(stages::load, false))
        .map(
            loaded ->
                new StagesOptions(
                    loaded,
                    stages.fromCluster(),
                    stages.seed(),
                    BuildInfo.get().version(),
                    settings.dataDir().resolve("stage-delays"),
                    settings.identity(),
                    config.process().replicas().enabled()))
        .compose(
            options ->
                agent
                    .loops()
                    .add(
                        loop,
                        () ->
                            new StagesVerticle(
                                options,
                                nodes,
                                kube,
                                agent.bus(),
                                agent.wall(),
                                agent.random(),
                                agent.metrics())));
  }

  private Future<?> join() {
    return config.process().replicas().enabled()
        ? agent.add(
            () ->
                new MembershipVerticle(
                    config.process().agent().identity(),
                    config.process().replicas().orIn(config.options().ownNamespace()),
                    config.names(),
                    selectors(),
                    kube,
                    agent.bus(),
                    agent.wallEnv()))
        : Future.succeededFuture();
  }

  private Future<?> adopt(KubeletApi api) {
    return config.adopts()
        ? agent.add(
            () ->
                new AdoptVerticle(
                    selectors(),
                    Set.copyOf(config.names()),
                    new AdoptedNodes(agent, config, kube::limit, api),
                    config.shards(),
                    kube,
                    agent.bus(),
                    agent.random()))
        : Future.succeededFuture();
  }

  private List<String> selectors() {
    return config.process().adopt().stream().map(AdoptConfig::labelSelector).toList();
  }
}
