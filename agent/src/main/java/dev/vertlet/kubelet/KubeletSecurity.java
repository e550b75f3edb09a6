package dev.vertlet.kubelet;

import dev.vertlet.auth.AccessControl;
import dev.vertlet.auth.KubeletAccess;
import dev.vertlet.auth.ServerTls;
import dev.vertlet.auth.ServingCertificate;
import dev.vertlet.auth.ServingCertificates;
import dev.vertlet.auth.ServingNames;
import dev.vertlet.auth.ServingTls;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.TlsEngine;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Clock;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A kubelet's security, as configured. */
public final class KubeletSecurity implements Security {
  private final Vertx vertx;
  private final VertletConfig config;
  private final KubeClient kube;
  private final TlsEngine engine;
  private final Clock clock;
  private final RandomGenerator random;
  private final MeterRegistry metrics;
  private @Nullable KubeletAccess access;
  private @Nullable ServingCertificates certificates;

  /**
   * @param kube whose API server knows users, decides what they may do, and signs certificates
   * @param engine that encrypts what clients send and read
   */
  public KubeletSecurity(
      Vertx vertx,
      VertletConfig config,
      KubeClient kube,
      TlsEngine engine,
      Clock clock,
      RandomGenerator random,
      MeterRegistry metrics) {
    this.vertx = vertx;
    this.config = config;
    this.kube = kube;
    this.engine = engine;
    this.clock = clock;
    this.random = random;
    this.metrics = metrics;
  }

  @Override
  public Future<AccessControl> open() {
    return KubeletAccess.open(
            vertx,
            kube,
            config.server().authentication(),
            config.server().authorization(),
            clock,
            random,
            metrics)
        .onSuccess(open -> access = open)
        .map(AccessControl.class::cast);
  }

  @Override
  public Future<List<HttpServerOptions>> listeners(List<ServingNames> names) {
    KubeletAccess open = access;
    if (open == null) {
      throw new IllegalStateException("open was not called");
    }
    ServingTls tls = config.server().tls();
    TrustOptions trust = open.trustOptions();
    return ServingCertificates.open(
            vertx, tls, config.agent().dataDir().resolve("pki"), kube, names, clock, random)
        .onSuccess(made -> certificates = made)
        .onSuccess(made -> measure(made, names))
        .compose(made -> engineOptions().map(own -> options(made, names, trust, own)));
  }

  /** Off the event loop: a client that speaks plain HTTP has not loaded the library. */
  private Future<SSLEngineOptions> engineOptions() {
    return vertx.executeBlocking(engine::options, false);
  }

  private List<HttpServerOptions> options(
      ServingCertificates made,
      List<ServingNames> names,
      TrustOptions trust,
      SSLEngineOptions own) {
    return names.stream()
        .map(
            name ->
                ServerTls.options(config.server().tls(), made.of(name.node()), trust, own.copy()))
        .toList();
  }

  private void measure(ServingCertificates made, List<ServingNames> names) {
    List<ServingCertificate> shown = names.stream().map(name -> made.of(name.node())).toList();
    Gauge.builder("kubelet.certificate.manager.server.ttl", () -> secondsLeft(shown))
        .description(
            "How long the first serving certificate to end is good; +Inf before one is needed")
        .baseUnit("seconds")
        .strongReference(true)
        .register(metrics);
  }

  private double secondsLeft(List<ServingCertificate> shown) {
    long now = clock.instant().getEpochSecond();
    return shown.stream()
        .flatMap(one -> one.known().stream())
        .mapToDouble(one -> one.getNotAfter().toInstant().getEpochSecond() - now)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  @Override
  public Future<Void> close() {
    Future<Void> shown = certificates == null ? Future.succeededFuture() : certificates.close();
    Future<Void> known = access == null ? Future.succeededFuture() : access.close();
    return Future.join(shown, known).mapEmpty();
  }
}
