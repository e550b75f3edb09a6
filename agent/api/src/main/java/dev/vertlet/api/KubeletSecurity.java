package dev.vertlet.api;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.KubeletAccess;
import dev.vertlet.auth.User;
import dev.vertlet.auth.tls.ServerTls;
import dev.vertlet.auth.tls.ServingCertificate;
import dev.vertlet.auth.tls.ServingCertificates;
import dev.vertlet.auth.tls.ServingNames;
import dev.vertlet.auth.tls.ServingTls;
import dev.vertlet.kube.access.TlsEngine;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.meter.Metric;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SSLEngineOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Implements a kubelet's security with an API server. */
public final class KubeletSecurity implements Security {
  private static final Metric SECONDS_LEFT =
      Metric.gauge(
          "kubelet_certificate_manager_server_ttl_seconds",
          "seconds",
          "until the first serving certificate expires; below 0 once it has expired; `+Inf` before"
              + " one is needed");

  private final Vertx vertx;
  private final Path directory;
  private final KubeClient kube;
  private final TlsEngine engine;
  private final Env env;

  /** Serving certificates in use; read by scrapes. */
  private final Set<ServingCertificate> shown = ConcurrentHashMap.newKeySet();

  /**
   * @param directory directory for issued and created certificates
   * @param kube client of the API server that authenticates and authorizes users and signs
   *     certificates
   * @param engine TLS engine of the listeners
   */
  public KubeletSecurity(Vertx vertx, Path directory, KubeClient kube, TlsEngine engine, Env env) {
    this.vertx = vertx;
    this.directory = directory;
    this.kube = kube;
    this.engine = engine;
    this.env = env;
  }

  @Override
  public Future<AccessPolicy> accessPolicy(
      Authentication authentication, Authorization authorization) {
    return KubeletAccess.open(vertx, kube, authentication, authorization, env).map(Asked::new);
  }

  private record Asked(KubeletAccess access) implements AccessPolicy {
    @Override
    public Future<User> admit(HttpServerRequest request, String node, List<String> subresources) {
      return access.admit(request, node, subresources);
    }

    @Override
    public Future<Void> close() {
      return access.close();
    }
  }

  @Override
  public Future<TlsIdentity> tlsIdentity(
      ServingTls tls, List<ServingNames> listeners, List<ServingNames> all) {
    return ServingCertificates.open(vertx, tls, directory, kube, listeners, all, env)
        .compose(made -> engineOptions().map(own -> tlsIdentity(tls, listeners, made, own)));
  }

  private TlsIdentity tlsIdentity(
      ServingTls tls,
      List<ServingNames> listeners,
      ServingCertificates made,
      SSLEngineOptions own) {
    List<ServingCertificate> these = listeners.stream().map(name -> made.of(name.node())).toList();
    shown.addAll(these);
    measure();
    return new TlsIdentity() {
      @Override
      public HttpServerOptions options(String node) {
        return ServerTls.options(tls, made.of(node), own.copy());
      }

      @Override
      public Future<Void> close() {
        these.forEach(shown::remove);
        return made.close();
      }
    };
  }

  /** Loads the TLS library off the event loop, unless the API client has already loaded it. */
  private Future<SSLEngineOptions> engineOptions() {
    return vertx.executeBlocking(engine::options, false);
  }

  private void measure() {
    SECONDS_LEFT.gauge(env.meters(), this::secondsLeft);
  }

  private double secondsLeft() {
    long now = env.clock().instant().getEpochSecond();
    return shown.stream()
        .flatMap(one -> one.known().stream())
        .mapToDouble(one -> one.getNotAfter().toInstant().getEpochSecond() - now)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
