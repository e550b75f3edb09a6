package dev.vertlet.api.route;

import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.server.Scrape;
import dev.vertlet.stats.CadvisorMetrics;
import dev.vertlet.stats.Measured;
import dev.vertlet.stats.ProbeMetrics;
import dev.vertlet.stats.ResourceMetrics;
import dev.vertlet.stats.StatsSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Serves {@code /stats/summary} and {@code /metrics} with its subpaths. */
final class StatsRoutes {
  private final Vertx vertx;
  private final Function<String, @Nullable NodeSpec> nodes;
  private final PodLookup pods;
  private final ServedNodes providers;
  private final MeterRegistry registry;
  private final Clock clock;
  private final Instant started;

  /**
   * @param nodes node by name; null for a node that is not served
   */
  StatsRoutes(
      Vertx vertx,
      Function<String, @Nullable NodeSpec> nodes,
      PodLookup pods,
      ServedNodes providers,
      MeterRegistry registry,
      Clock clock) {
    this.vertx = vertx;
    this.nodes = nodes;
    this.pods = pods;
    this.providers = providers;
    this.registry = registry;
    this.clock = clock;
    this.started = clock.instant();
  }

  Future<Void> summary(ApiCall call) {
    boolean little =
        StatsSummary.onlyCpuAndMemory(
            call.request().params().getAll(StatsSummary.ONLY_CPU_AND_MEMORY));
    return measured(call.node(), measured -> StatsSummary.json(measured, little))
        .compose(json -> call.answer(200, StatsSummary.CONTENT_TYPE, json));
  }

  /** Sends the resource metrics, which report a failed measurement: scrapers count it. */
  Future<Void> resource(ApiCall call) {
    return measured(call.node(), measured -> Buffer.buffer(ResourceMetrics.text(measured)))
        .recover(failure -> Future.succeededFuture(Buffer.buffer(ResourceMetrics.failed())))
        .compose(text -> call.answer(200, ResourceMetrics.CONTENT_TYPE, text));
  }

  Future<Void> cadvisor(ApiCall call) {
    return measured(call.node(), measured -> Buffer.buffer(CadvisorMetrics.text(measured)))
        .compose(text -> call.answer(200, CadvisorMetrics.CONTENT_TYPE, text));
  }

  Future<Void> probes(ApiCall call) {
    return providers
        .ask(call.node(), provider -> provider.probes(call.node()))
        .map(probes -> Buffer.buffer(ProbeMetrics.text(probes, started)))
        .compose(text -> call.answer(200, ProbeMetrics.CONTENT_TYPE, text));
  }

  /** Sends the agent's own metrics. */
  Future<Void> metrics(ApiCall call) {
    return vertx
        .executeBlocking(() -> Scrape.of(registry), false)
        .compose(text -> call.answer(200, Scrape.CONTENT_TYPE, Buffer.buffer(text)));
  }

  /**
   * Measures a node and builds a document. Large documents are written on a worker, so that streams
   * are not delayed.
   */
  private Future<Buffer> measured(String node, Function<Measured, Buffer> document) {
    NodeSpec spec = nodes.apply(node);
    if (spec == null) {
      return Future.failedFuture(HttpFailure.notServed(node));
    }
    Future<NodeUsage> usage = providers.ask(node, (PodProvider p) -> p.usage(node));
    return usage.compose(
        used ->
            pods.of(node)
                .compose(
                    all ->
                        vertx.executeBlocking(
                            () -> document.apply(new Measured(spec, used, all, clock.instant())),
                            false)));
  }
}
