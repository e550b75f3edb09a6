package dev.vertlet.agent;

import dev.vertlet.backend.ShardProviders;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.tracing.Tracing;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the Vertx that an agent runs on. */
final class AgentVertx {
  /** One event loop for the API client, one for the kubelets' API, one for the rest. */
  private static final int OTHER_LOOPS = 3;

  /** Few workers, as blocking work is rare: credentials, files, scrapes. */
  private static final int WORKERS = 4;

  /** The default of Vert.x, 1 s, wakes an idle process needlessly. */
  private static final int BLOCKED_CHECK_SECONDS = 10;

  private AgentVertx() {}

  /**
   * @param tracing null for none
   */
  static Vertx create(VertletConfig config, Metrics metrics, @Nullable Tracing tracing) {
    VertxOptions options =
        new VertxOptions()
            .setEventLoopPoolSize(eventLoops(config))
            .setWorkerPoolSize(WORKERS)
            .setInternalBlockingPoolSize(WORKERS)
            .setPreferNativeTransport(true)
            .setBlockedThreadCheckInterval(BLOCKED_CHECK_SECONDS)
            .setBlockedThreadCheckIntervalUnit(TimeUnit.SECONDS)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false));
    VertxBuilder builder = metrics.instrument(options);
    return tracing == null ? builder.build() : builder.withTracer(tracing.factory()).build();
  }

  /** Each shard has a thread of its own: a provider that blocks must not delay the leases. */
  private static int eventLoops(VertletConfig config) {
    int providers = ShardProviders.order(config.nodes(), config.adopt()).size();
    return config.agent().shards() * Math.max(1, providers) + OTHER_LOOPS;
  }
}
