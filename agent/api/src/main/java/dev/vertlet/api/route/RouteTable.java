package dev.vertlet.api.route;

import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.streaming.PortForwarding;
import dev.vertlet.streaming.RemoteCommands;
import dev.vertlet.streaming.session.StreamLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the handlers of all endpoints.
 *
 * @param pageSize most pods that are read from the API server at once
 * @param nodes the nodes that are served
 * @param pods finds pods on these nodes
 * @param overdue names of the event loops that have not turned for too long
 */
public record RouteTable(
    int pageSize,
    Nodes nodes,
    KubeClient kube,
    PodLookup pods,
    ServedNodes providers,
    Supplier<List<String>> overdue,
    Env env) {
  /** The nodes that are served. Asked again for each request, on any thread. */
  public interface Nodes {
    boolean served(String node);

    /** Returns what a served node is made of. */
    NodeSpec spec(String node);

    /** Returns whether containers of a served node may be checkpointed. */
    boolean makesCheckpoints(String node);

    /**
     * Returns the effective configuration of a served node, as {@code /configz} shows it.
     *
     * @param port port of the node's kubelet
     */
    JsonObject configuration(String node, int port);
  }

  /** Creates the handlers. Call it on the server's event loop. */
  public Map<Endpoint, RouteHandler> handlers(Vertx vertx, NodeServer.Answering answering) {
    PodRoutes lists = new PodRoutes(kube, providers, pageSize);
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
        Endpoint.CHECKPOINT,
        new CheckpointRoutes(pods, providers, nodes::makesCheckpoints)::handle);
    handlers.put(Endpoint.CONFIGZ, new ConfigRoutes(nodes)::handle);
    handlers.put(Endpoint.LOGS, new FileRoutes(vertx, answering.logDirectory())::handle);
    handlers.put(
        Endpoint.PPROF,
        call -> Future.failedFuture(new HttpFailure(405, "profiling endpoint is disabled.\n")));
    stats(handlers, new StatsRoutes(vertx, specs(), pods, providers, env.meters(), env.clock()));
    return handlers;
  }

  private Function<String, @Nullable NodeSpec> specs() {
    return name -> nodes.served(name) ? nodes.spec(name) : null;
  }

  private static void stats(Map<Endpoint, RouteHandler> handlers, StatsRoutes stats) {
    handlers.put(Endpoint.STATS_SUMMARY, stats::summary);
    handlers.put(Endpoint.METRICS, stats::metrics);
    handlers.put(Endpoint.METRICS_RESOURCE, stats::resource);
    handlers.put(Endpoint.METRICS_CADVISOR, stats::cadvisor);
    handlers.put(Endpoint.METRICS_PROBES, stats::probes);
  }
}
