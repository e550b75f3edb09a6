package dev.vertlet.kubelet;

import dev.vertlet.config.VertletConfig;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.loop.Env;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.streaming.PortForwarding;
import dev.vertlet.streaming.RemoteCommands;
import dev.vertlet.streaming.StreamLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the handlers of all endpoints.
 *
 * @param config what the process runs by
 * @param nodes the nodes that are served
 * @param pods finds pods on these nodes
 * @param overdue names of the event loops that have not turned for too long
 */
public record RouteTable(
    VertletConfig config,
    Nodes nodes,
    KubeClient kube,
    PodLookup pods,
    ServedNodes providers,
    Supplier<List<String>> overdue,
    Env env) {
  /**
   * The nodes that are served. Asked again for each request, on any thread.
   *
   * @param served whether a node is served now
   * @param configs what each of them runs by now
   */
  public record Nodes(Predicate<String> served, Function<String, NodeConfig> configs) {}

  /** Creates the handlers. Call it on the server's event loop. */
  Map<Endpoint, RouteHandler> handlers(Vertx vertx, NodeServer.Answering answering) {
    PodRoutes lists = new PodRoutes(kube, providers, config.kubernetes().listPageSize());
    HealthRoutes health = new HealthRoutes(overdue);
    LogRoutes logs = new LogRoutes(pods, providers, env.clock());
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
    handlers.put(Endpoint.CONFIGZ, new ConfigRoutes(nodes.served(), nodes.configs())::handle);
    handlers.put(Endpoint.LOGS, new FileRoutes(vertx, answering.logDirectory())::handle);
    handlers.put(
        Endpoint.PPROF,
        call -> Future.failedFuture(new HttpFailure(405, "profiling endpoint is disabled.\n")));
    stats(handlers, new StatsRoutes(vertx, specs(), pods, providers, env.meters(), env.clock()));
    return handlers;
  }

  private boolean makesCheckpoints(String node) {
    return nodes
        .configs()
        .apply(node)
        .config()
        .featureGates()
        .enabled(FeatureGates.CONTAINER_CHECKPOINT);
  }

  private Function<String, @Nullable NodeSpec> specs() {
    return name -> nodes.served().test(name) ? nodes.configs().apply(name).node().spec() : null;
  }

  private static void stats(Map<Endpoint, RouteHandler> handlers, StatsRoutes stats) {
    handlers.put(Endpoint.STATS_SUMMARY, stats::summary);
    handlers.put(Endpoint.METRICS, stats::metrics);
    handlers.put(Endpoint.METRICS_RESOURCE, stats::resource);
    handlers.put(Endpoint.METRICS_CADVISOR, stats::cadvisor);
    handlers.put(Endpoint.METRICS_PROBES, stats::probes);
  }
}
