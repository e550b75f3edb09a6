package dev.vertlet.agent;

import dev.vertlet.backend.ShardProviders;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.content.ContentCore;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.fetch.UrlFetch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kubelet.KubeletCore;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.nodes.NodeSettings;
import dev.vertlet.nodes.NodeVerticle;
import dev.vertlet.pods.PodSyncVerticle;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.references.BusReferences;
import dev.vertlet.references.ReferenceWatchVerticle;
import dev.vertlet.sources.NodeSources;
import dev.vertlet.sources.SourceSettings;
import dev.vertlet.sources.SourceVerticle;
import dev.vertlet.status.StatusVerticle;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Makes the shards of an agent and their verticles. */
final class ShardFactory {
  private final AgentResources agent;
  private final StartupConfig config;
  private final AgentHooks hooks;
  private final ActiveConfigs book;
  private final ShardProviders providers;

  ShardFactory(AgentResources agent, StartupConfig config, AgentHooks hooks) {
    this.agent = agent;
    this.config = config;
    this.hooks = hooks;
    this.book = config.dynamic().book();
    this.providers =
        new ShardProviders(
            agent.vertx(),
            config.process(),
            config.options().kubelet(),
            book,
            agent.metrics(),
            agent.steady());
  }

  /**
   * Makes the shards that have nodes or may get adopted ones. Throws as {@link
   * ShardProviders#make}.
   */
  ShardSet make() {
    Shards shards = config.shards();
    Map<Integer, List<ConfiguredNode>> divided = new TreeMap<>();
    for (ConfiguredNode node : config.nodes()) {
      divided.computeIfAbsent(shards.of(node.spec().name()), index -> new ArrayList<>()).add(node);
    }
    if (config.adopts()) {
      // adopted nodes may be assigned to any of these shards
      int first = shards.others() * shards.perProvider();
      for (int i = first; i < first + shards.perProvider(); i++) {
        divided.putIfAbsent(i, List.of());
      }
    }
    SortedMap<Integer, String> providersByShard = new TreeMap<>();
    divided.keySet().forEach(index -> providersByShard.put(index, providerOf(index)));
    AbandonedNodes abandoned =
        new AbandonedNodes(
            config.nodes().stream().map(node -> node.spec().name()).collect(Collectors.toSet()),
            config.adopts(),
            providersByShard);
    return new ShardSet(
        divided.entrySet().stream()
            .map(e -> shard(e.getKey(), e.getValue(), abandoned.of(e.getKey())))
            .toList(),
        agent.loops());
  }

  private Shard shard(int index, List<ConfiguredNode> nodes, Predicate<String> abandoned) {
    String name = providerOf(index);
    PodProvider provider =
        providers.make(name, nodes, new BusReferences(agent.bus(), index), abandoned);
    return new Shard(index, loop(index, name), nodes, provider, abandoned);
  }

  /** Returns the name of a shard's provider. */
  private String providerOf(int index) {
    return ShardProviders.order(config.nodes(), config.process().adopt())
        .get(index / config.shards().perProvider());
  }

  /**
   * Shares the main loop with a single simulated shard: messages within a loop take two thirds of
   * the CPU of others. A loaded provider gets its own loop, because its code may block and must not
   * delay the leases.
   */
  private EventLoop loop(int index, String provider) {
    return config.process().agent().shards() == 1 && providers.isSimulated(provider)
        ? agent.loops().main()
        : agent.loops().loop("shard " + index);
  }

  /** Makes the watches of the objects that the shards' pods refer to; the shards exist. */
  ReferenceWatchVerticle references(KubeClient kube) {
    return new ReferenceWatchVerticle(
        kube,
        agent.bus(),
        agent.random(),
        providers.usesContent(),
        ReferenceWatchVerticle.SERVICES_REST);
  }

  StatusVerticle status(Shard shard, KubeClient kube) {
    VertletConfig process = config.process();
    return new StatusVerticle(
            shard.index(),
            process.agent().profile() == Profile.FAST,
            config.options().statusWindow(),
            kube,
            agent.bus(),
            agent.steadyEnv(),
            process.server().page().enabled() || process.tracing().enabled())
        .retries(hooks.retries());
  }

  PodSyncVerticle sync(Shard shard, KubeClient kube) {
    List<String> sourced =
        shard.nodes().stream()
            .map(ConfiguredNode::sources)
            .filter(NodeSources::any)
            .map(NodeSources::node)
            .toList();
    return new PodSyncVerticle(
            shard.index(),
            shard.names(),
            sourced,
            shard.provider(),
            kube,
            agent.bus(),
            agent.steadyEnv())
        .abandoned(shard.abandoned());
  }

  SourceVerticle sources(Shard shard, KubeClient kube) {
    return new SourceVerticle(
        shard.index(),
        new SourceSettings(
            shard.names(),
            name -> book.config(name).node().sources(),
            name -> new FeatureOptions(book.config(name).config()).sources()),
        new UrlFetch(agent.vertx()),
        kube,
        agent.bus(),
        agent.steadyEnv());
  }

  /**
   * @param endpoints addresses of the nodes' kubelet APIs
   */
  NodeVerticle nodes(Shard shard, KubeClient kube, Future<Map<String, KubeletEndpoint>> endpoints) {
    return new NodeVerticle(
            shard.index(),
            new NodeSettings(
                shard.names(),
                name -> book.config(name).node().spec(),
                name -> new FeatureOptions(book.config(name).config()).node(),
                features(shard.provider())),
            providers.nodes(providerOf(shard.index()), shard.nodes(), shard.provider()),
            endpoints,
            kube,
            agent.bus(),
            agent.steadyEnv())
        .onError(hooks.nodeErrors());
  }

  /** Returns no features for a provider of whole pods, which declares none. */
  private Function<String, List<String>> features(PodProvider provider) {
    return provider instanceof KubeletCore || provider instanceof ContentCore
        ? node -> new FeatureOptions(book.config(node).config()).policy().declaredFeatures()
        : node -> List.of();
  }
}
