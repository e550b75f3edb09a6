package dev.vertlet.backend;

import dev.vertlet.bus.Shards;
import dev.vertlet.cli.FailedException;
import dev.vertlet.config.ProvidersConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.content.ContentCore;
import dev.vertlet.content.ContentProvider;
import dev.vertlet.content.ContentRuntime;
import dev.vertlet.content.VolumeManager;
import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.env.SharedReferences;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.kubelet.KubeletCore;
import dev.vertlet.kubelet.KubeletNodes;
import dev.vertlet.kubelet.KubeletOptions;
import dev.vertlet.kubelet.pod.ContainerListener;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.meter.Metric;
import dev.vertlet.metrics.CountedProvider;
import dev.vertlet.metrics.KubeletMeters;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.pods.ResolvingProvider;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderGuard;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.SettingsException;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.PolledProvider;
import dev.vertlet.simulated.SimulatedRuntime;
import dev.vertlet.simulated.TroubledNodes;
import dev.vertlet.simulated.rule.NodeRule;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Makes the provider of each shard: the kubelet core on a container runtime, or a provider of whole
 * pods. Loaded providers are called through a {@link ProviderGuard}.
 */
public final class ShardProviders {
  private static final Metric PODS =
      Metric.gauge(
          "kubelet_running_pods",
          "pods",
          "that have a sandbox; of a provider of whole pods, those that it last reported as"
              + " Running");
  private static final Metric STARTS =
      Metric.counter(
          "vertlet_simulated_container_starts_total",
          "containers",
          "that the simulated runtime has started; adopted ones do not count");

  private final Vertx vertx;
  private final VertletConfig config;
  private final KubeletOptions options;
  private final ActiveConfigs book;
  private final MeterRegistry metrics;
  private final Clock clock;
  private final KubeletMeters meters;
  private final AllocatedPodCidrs allocated = new AllocatedPodCidrs();
  private final List<SimulatedRuntime> simulated = new ArrayList<>();
  private final List<CountedProvider> whole = new ArrayList<>();
  private boolean usesContent;

  public ShardProviders(
      Vertx vertx,
      VertletConfig config,
      KubeletOptions options,
      ActiveConfigs book,
      MeterRegistry metrics,
      Clock clock) {
    this.vertx = vertx;
    this.config = config;
    this.options = options;
    this.book = book;
    this.metrics = metrics;
    this.clock = clock;
    this.meters = new KubeletMeters(metrics);
    PODS.gauge(
        metrics,
        () -> meters.sandboxes() + whole.stream().mapToInt(CountedProvider::running).sum());
    STARTS.counter(
        metrics, simulated, all -> all.stream().mapToLong(SimulatedRuntime::startCount).sum());
  }

  /**
   * Returns the provider index of each node for {@link dev.vertlet.bus.Shards}: by order of
   * appearance, without the nodes of the first.
   */
  static Map<String, Integer> indexes(List<ConfiguredNode> nodes) {
    Map<String, Integer> known = new LinkedHashMap<>();
    Map<String, Integer> indexes = new HashMap<>();
    for (ConfiguredNode node : nodes) {
      int index = known.computeIfAbsent(node.provider(), name -> known.size());
      if (index > 0) {
        indexes.put(node.spec().name(), index);
      }
    }
    return indexes;
  }

  /** Divides the configured and the adopted nodes among event loops. */
  public static Shards shards(
      int perProvider, List<ConfiguredNode> nodes, List<AdoptConfig> adopt) {
    List<String> order = order(nodes, adopt);
    int others = adopt.isEmpty() ? 0 : order.indexOf(adopt.get(0).provider());
    Map<String, Integer> indexes = indexes(nodes);
    if (others > 0) {
      nodes.forEach(node -> indexes.putIfAbsent(node.spec().name(), 0));
    }
    return new Shards(perProvider, indexes, others);
  }

  /** Returns the providers by order of appearance; all adopting sections have the same one. */
  public static List<String> order(List<ConfiguredNode> nodes, List<AdoptConfig> adopt) {
    return Stream.concat(
            nodes.stream().map(ConfiguredNode::provider), adopt.stream().map(AdoptConfig::provider))
        .distinct()
        .toList();
  }

  /**
   * @param name of the provider
   * @param nodes of one shard, all with this provider; adopted nodes come later
   * @param references source of the objects that the shard's pods refer to, for a container runtime
   * @param abandoned whether the shard has to end what is left of a node
   * @throws ConfigException for settings that the provider refuses
   * @throws FailedException when a loaded provider cannot be made
   */
  public PodProvider make(
      String name,
      List<ConfiguredNode> nodes,
      ReferenceSource references,
      Predicate<String> abandoned) {
    ProviderFactory factory = config.providers().catalog().find(name);
    Function<String, NodeSpec> specs = node -> book.config(node).node().spec();
    KubeletNodes traits =
        new KubeletNodes(
            node -> specs.apply(node).hostIPs(),
            node -> book.config(node).node().eviction(),
            node -> book.config(node).node().imageGc(),
            node -> new FeatureOptions(book.config(node).config()).pods(),
            node -> new FeatureOptions(book.config(node).config()).policy(),
            node -> book.config(node).config().nodeStatus().maxImages());
    if (factory == null) {
      SimulatedRuntime runtime =
          SimulatedRuntime.create(
              vertx,
              clock,
              config.simulated().seed(),
              node -> book.config(node).config().simulated().rules(),
              allocated::of,
              node -> specs.apply(node).capacity());
      runtime.sharedRange(node -> specs.apply(node).podCidr());
      runtime.imageSize(config.simulated().imageSize());
      runtime.logSize(node -> book.config(node).config().pods().logBytes());
      simulated.add(runtime);
      return core(runtime, traits, specs, references);
    }
    Backend made =
        create(name, factory, nodes.stream().map(ConfiguredNode::spec).toList(), abandoned);
    return made instanceof Backend.Containers containers
        ? core(ProviderGuard.of(containers.runtime()), traits, specs, references)
        : pods(name, ProviderGuard.of(((Backend.Pods) made).provider()), references, specs);
  }

  private PodProvider pods(
      String name,
      PodProvider provider,
      ReferenceSource references,
      Function<String, NodeSpec> nodes) {
    PodInput input = provider.input();
    if (input == PodInput.FILES) {
      throw new FailedException(
          "provider \"" + name + "\" cannot be made: the input FILES is for container runtimes");
    }
    SharedReferences shared = new SharedReferences(references);
    PodProvider speaking = provider.reports() ? provider : new PolledProvider(provider);
    PodProvider resolving =
        provider.usesEnvironment()
            ? new ResolvingProvider(speaking, shared.user(), nodes)
            : speaking;
    CountedProvider counted =
        new CountedProvider(
            input.hasDefinition()
                ? new ContentProvider(resolving, contents(input, nodes, shared))
                : resolving);
    whole.add(counted);
    return counted;
  }

  private VolumeManager contents(
      PodInput input, Function<String, NodeSpec> nodes, SharedReferences shared) {
    usesContent |= input.hasContent();
    return new VolumeManager(
        input,
        new ContentOptions(
            config.agent().podsDir(),
            config.pods().hostPaths().stream().map(Path::of).toList(),
            ContentOptions.HOSTS,
            new TmpfsVolumes()),
        shared.user(),
        node -> nodes.apply(node).allocatable(),
        node -> book.get(node).dns());
  }

  /** Whether a provider that was made uses the content of volumes. */
  public boolean usesContent() {
    return usesContent;
  }

  /**
   * Returns the node provider of a shard, whose pod provider was made by {@link #make} and is
   * started. Called on the shard's context.
   */
  public NodeProvider nodes(String name, List<ConfiguredNode> nodes, PodProvider provider) {
    List<NodeRule> rules = config.simulated().nodes();
    if (!isSimulated(name)) {
      return provider.nodes();
    }
    NodeProvider simulated = allocated.noting(provider.nodes());
    return rules.isEmpty()
        ? simulated
        : TroubledNodes.create(
            vertx,
            clock,
            config.simulated().seed(),
            rules,
            nodes.stream().map(ConfiguredNode::spec).toList(),
            simulated);
  }

  /** Whether the provider is the built-in one. */
  public boolean isSimulated(String provider) {
    return config.providers().catalog().find(provider) == null;
  }

  private PodProvider core(
      ContainerRuntime runtime,
      KubeletNodes nodes,
      Function<String, NodeSpec> specs,
      ReferenceSource references) {
    PodInput input = runtime.input();
    SharedReferences shared = new SharedReferences(references);
    VolumeManager contents = input.hasDefinition() ? contents(input, specs, shared) : null;
    EnvironmentInputs inputs =
        new EnvironmentInputs(
            contents == null ? references : shared.user(),
            config.pods().checkSecrets(),
            node -> specs.apply(node).allocatable(),
            node -> book.get(node).dns(),
            contents == null ? VolumePreparer.NONE : contents);
    String logs = config.agent().containerLogsDir();
    ContainerListener links =
        logs.isEmpty() ? ContainerListener.NONE : new LogLinks(vertx, Path.of(logs), runtime);
    return contents == null
        ? new KubeletCore(runtime, options, nodes, inputs, meters, links)
        : new ContentCore(
            new KubeletCore(
                new ContentRuntime(runtime, contents), options, nodes, inputs, meters, links),
            runtime,
            contents);
  }

  private Backend create(
      String name, ProviderFactory factory, List<NodeSpec> specs, Predicate<String> abandoned) {
    ProvidersConfig providers = config.providers();
    ProviderSetup setup =
        new ProviderSetup(
            vertx,
            clock,
            new SplittableRandom(),
            metrics,
            providers.of(name),
            specs,
            config.agent().podsDir(),
            abandoned);
    try {
      Backend made = factory.create(setup);
      if (made == null) {
        throw new IllegalStateException("its factory made null");
      }
      return made;
    } catch (SettingsException e) {
      throw new ConfigException(ProvidersConfig.problem(name, e));
    } catch (RuntimeException | LinkageError e) {
      throw new FailedException("provider \"" + name + "\" cannot be made: " + e, e);
    }
  }
}
