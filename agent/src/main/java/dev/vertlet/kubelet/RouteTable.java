package dev.vertlet.kubelet;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.streaming.PortForwarding;
import dev.vertlet.streaming.RemoteCommands;
import dev.vertlet.streaming.StreamLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the handlers of all endpoints.
 *
 * @param config configuration of the process
 * @param nodes names of the nodes that the agent creates
 * @param adopted adopted nodes
 * @param configs current configuration of each node; called for each request
 * @param overdue names of the blocked event loops
 */
public record RouteTable(
    VertletConfig config,
    List<String> nodes,
    Adopted adopted,
    Function<String, NodeConfig> configs,
    KubeClient kube,
    Bus bus,
    Shards shards,
    Providers providers,
    Supplier<List<String>> overdue,
    MeterRegistry metrics,
    Clock clock) {
  /**
   * Adopted nodes, which come and go.
   *
   * @param has whether a node is served now; thread-safe
   * @param shards all shards that may have one
   */
  public record Adopted(Predicate<String> has, List<Integer> shards) {
    /** No adopted nodes. */
    public static final Adopted NONE = new Adopted(node -> false, List.of());
  }

  private Predicate<String> served() {
    Set<String> made = Set.copyOf(nodes);
    return node -> made.contains(node) || adopted.has().test(node);
  }

  private PodLookup pods() {
    return new PodLookup(
        bus,
        shards,
        Stream.concat(nodes.stream().map(shards::of), adopted.shards().stream())
            .distinct()
            .sorted()
            .toList());
  }

  /** Creates the handlers. Call it on the server's event loop. */
  Map<Endpoint, RouteHandler> handlers(Vertx vertx, NodeServer.Answering answering) {
    PodLookup pods = pods();
    PodRoutes lists = new PodRoutes(kube, providers, config.kubernetes().listPageSize());
    HealthRoutes health = new HealthRoutes(overdue);
    LogRoutes logs = new LogRoutes(pods, providers, clock);
    Map<Endpoint, RouteHandler> handlers = new EnumMap<>(Endpoint.class);
    handlers.put(Endpoint.HEALTHZ, call -> health.answer(call.request(), call.route().rest()));
    handlers.put(Endpoint.PODS, lists::pods);
    handlers.put(Endpoint.RUNNING_PODS, lists::running);
    handlers.put(Endpoint.CONTAINER_LOGS, logs::handle);
    StreamLimits limits = new StreamLimits(answering.idle(), answering.creation());
    CommandRoutes commands = new CommandRoutes(pods, providers, new RemoteCommands(limits));
    handlers.put(Endpoint.EXEC, commands::exec);
    handlers.put(Endpoint.ATTACH, commands::attach);
    handlers.put(Endpoint.RUN, commands::run);
    handlers.put(
        Endpoint.PORT_FORWARD,
        new ForwardRoutes(pods, providers, new PortForwarding(limits))::handle);
    handlers.put(
        Endpoint.CHECKPOINT, new CheckpointRoutes(pods, providers, this::makesCheckpoints)::handle);
    handlers.put(Endpoint.CONFIGZ, new ConfigRoutes(served(), configs)::handle);
    handlers.put(Endpoint.LOGS, new FileRoutes(vertx, answering.logDirectory())::handle);
    handlers.put(
        Endpoint.PPROF,
        call -> Future.failedFuture(new HttpFailure(405, "profiling endpoint is disabled.\n")));
    stats(handlers, new StatsRoutes(vertx, specs(), pods, providers, metrics, clock));
    return handlers;
  }

  private boolean makesCheckpoints(String node) {
    return configs.apply(node).config().featureGates().enabled(FeatureGates.CONTAINER_CHECKPOINT);
  }

  private Function<String, @Nullable NodeSpec> specs() {
    Predicate<String> served = served();
    return name -> served.test(name) ? configs.apply(name).node().spec() : null;
  }

  private static void stats(Map<Endpoint, RouteHandler> handlers, StatsRoutes stats) {
    handlers.put(Endpoint.STATS_SUMMARY, stats::summary);
    handlers.put(Endpoint.METRICS, stats::metrics);
    handlers.put(Endpoint.METRICS_RESOURCE, stats::resource);
    handlers.put(Endpoint.METRICS_CADVISOR, stats::cadvisor);
    handlers.put(Endpoint.METRICS_PROBES, stats::probes);
  }
}
