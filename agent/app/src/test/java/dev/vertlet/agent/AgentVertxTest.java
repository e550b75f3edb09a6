package dev.vertlet.agent;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSetup;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AgentVertxTest {
  private static final int SHARDS = 2;

  /** Besides the shards: the main loop, and that of the kubelets' API. */
  private static final int OTHERS = 2;

  /** A provider that blocks its thread must delay neither leases nor the pods of others. */
  @Test
  void noShardOfAnyProviderSharesAThread() throws Exception {
    List<String> providers = List.of("a", "b", "c", "d");
    List<Thread> threads = new ArrayList<>();
    try (Metrics metrics = new Metrics("1", "", "v1")) {
      Vertx vertx = AgentVertx.create(config(providers), metrics, null);
      for (int i = 0; i < SHARDS * providers.size() + OTHERS; i++) {
        get(
            vertx.deployVerticle(
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    threads.add(Thread.currentThread());
                    return Future.succeededFuture();
                  }
                }));
      }
      get(vertx.close());
    }

    assertThat(threads).doesNotHaveDuplicates();
  }

  private static Backend neverMade(ProviderSetup setup) {
    throw new AssertionError("a provider is made");
  }

  private static VertletConfig config(List<String> providers) {
    ProviderCatalog catalog =
        ProviderCatalog.of(
            providers.stream()
                .map(name -> ProviderFactory.of(name, AgentVertxTest::neverMade))
                .toList());
    Stream<String> nodes =
        providers.stream()
            .map(name -> "{\"name\": \"%1$s\", \"provider\": \"%1$s\"}".formatted(name));
    return new ConfigLoader(new Environment(Map.of(), Host.detect()), catalog)
        .parse(
            "test",
            "{\"agent\": {\"shards\": %d}, \"nodes\": [%s]}"
                .formatted(SHARDS, String.join(", ", nodes.toList())),
            List.of())
        .config();
  }
}
