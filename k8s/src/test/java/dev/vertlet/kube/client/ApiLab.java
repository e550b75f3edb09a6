package dev.vertlet.kube.client;

import static dev.vertlet.testsupport.Waits.get;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.meter.Metric;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An embedded API server and a client of it. */
public final class ApiLab implements AutoCloseable {
  public static final KubeClientOptions FAST =
      KubeClientOptions.defaults().withTimeouts(Waits.LONG, Waits.LONG, Duration.ofSeconds(12));

  public final Vertx vertx;
  public final EmbeddedApiServer server;
  public final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private ApiLab(Vertx vertx, EmbeddedApiServer server) {
    this.vertx = vertx;
    this.server = server;
  }

  /** Without TLS. */
  public static ApiLab start() {
    return start(ApiServerOptions.defaults().withPlainHttp());
  }

  static ApiLab start(ApiServerOptions options) {
    Vertx vertx = Vertx.vertx();
    return new ApiLab(vertx, get(EmbeddedApiServer.start(vertx, options)));
  }

  /** Another one, with another server. */
  public ApiLab with(ApiServerOptions options) {
    return new ApiLab(vertx, get(EmbeddedApiServer.start(vertx, options)));
  }

  /** Servers and clients end with it. */
  @Override
  public void close() {
    get(vertx.close());
  }

  public KubeClient client() throws Exception {
    return client(FAST);
  }

  public KubeClient client(KubeClientOptions options) throws Exception {
    return client(options, access().build());
  }

  public KubeClient client(KubeClientOptions options, Config config) throws Exception {
    return client(options, ApiAccess.of(config));
  }

  KubeClient client(KubeClientOptions options, ApiAccess access) throws Exception {
    return get(KubeClient.create(vertx, options, access, registry));
  }

  public ConfigBuilder access() {
    ConfigBuilder config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server.url())
            .withAutoOAuthToken(server.token());
    return server.caPem().isEmpty() ? config : config.withCaCertData(server.caPem());
  }

  public double metric(Metric metric, String... tags) {
    var meter = registry.find(metric.name()).tags(tags).counter();
    return meter == null ? 0 : meter.count();
  }

  double gauge(Metric metric, String... tags) {
    return registry.get(metric.name()).tags(tags).gauge().value();
  }

  public static Future<KubeResponse> getNodes(KubeClient client, Lane lane) {
    return client.send(KubeRequest.get(lane, KubePath.nodes()));
  }

  static Future<KubeResponse> patchStatus(KubeClient client, String pod) {
    return client.send(
        KubeRequest.patch(
            Lane.POD_STATUS,
            KubePath.podStatus("default", pod),
            MediaType.STRATEGIC_MERGE_PATCH,
            Buffer.buffer("{}")));
  }

  /** What a Future failed with, waiting for it. */
  public static KubeException failure(Future<?> future) {
    Throwable cause = future.transform(done -> Future.succeededFuture(done.cause())).await();
    if (cause instanceof @Nullable KubeException failure && failure != null) {
      return failure;
    }
    throw new AssertionError("expected a KubeException, got " + cause, cause);
  }
}
