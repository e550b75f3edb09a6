package dev.vertlet.harness.fault;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.harness.loopback.Kubeconfig;
import dev.vertlet.harness.loopback.LoopbackPorts;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * An API server's unreliable double. Clients that use its {@link #kubeconfig} speak HTTP/2 or
 * HTTP/1.1 with the real API server, watches included, until told otherwise.
 *
 * <p>Methods may be called from any thread. Those that return a Future do their work on the proxy's
 * event loop; it completes when the work is done, on that loop.
 */
public final class FaultProxy {
  /** 256 bits: nobody guesses them. */
  private static final int TOKEN_BYTES = 32;

  private final Vertx vertx;
  private final String deployment;
  private final FaultProxyVerticle verticle;
  private final Path kubeconfig;

  private FaultProxy(Vertx vertx, String deployment, FaultProxyVerticle verticle, Path kubeconfig) {
    this.vertx = vertx;
    this.deployment = deployment;
    this.verticle = verticle;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Starts a proxy in front of the cluster of a kubeconfig, with whose token or certificate it
   * authenticates for its clients. Those have to send a token of the proxy's own, which is in its
   * kubeconfig alone: others on this machine can reach its port too.
   *
   * @param kubeconfig of the API server
   * @param folder where the proxy's own kubeconfig is written
   * @param random decides about faults of a probability below 1
   * @return fails when the kubeconfig is of no use, or with what kept the proxy from listening
   */
  public static Future<FaultProxy> start(
      Vertx vertx, Path kubeconfig, Path folder, RandomGenerator random) {
    return vertx
        .executeBlocking(() -> Prepared.of(kubeconfig, folder), false)
        .compose(
            prepared -> {
              FaultProxyVerticle verticle = new FaultProxyVerticle(prepared, random);
              return vertx
                  .deployVerticle(() -> verticle, new DeploymentOptions())
                  .map(id -> new FaultProxy(vertx, id, verticle, prepared.kubeconfig()));
            });
  }

  /** A kubeconfig that leads to this proxy. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /**
   * Puts a fault in force, until it has happened as often as it says, is removed or {@link #heal}
   * is called.
   */
  public InjectedFault inject(Fault fault) {
    return verticle.plan().add(fault);
  }

  /** Counts of what has passed. */
  public TrafficLog traffic() {
    return verticle.log();
  }

  /** Removes all faults, thaws what is frozen and accepts connections again. */
  public Future<Void> heal() {
    verticle.plan().clear();
    return thaw().compose(thawed -> accept());
  }

  /**
   * Cuts every connection that carries a watch, with whatever else it carries; returns how many
   * watches ended.
   */
  public Future<Integer> cutWatches() {
    return onLoop(() -> Future.succeededFuture(verticle.relay().cutWatches()));
  }

  /**
   * Cuts as {@link #cutWatches}, but only watches that have told at least one event: cut earlier
   * and again and again, no client could make progress.
   */
  public Future<Integer> cutActiveWatches() {
    return onLoop(() -> Future.succeededFuture(verticle.relay().cutActiveWatches()));
  }

  /** Cuts every connection; returns how many. New ones are accepted. */
  public Future<Integer> cutAll() {
    return onLoop(() -> Future.succeededFuture(verticle.gate().cutAll()));
  }

  /** Cuts every connection and refuses new ones, as when the API server is down. */
  public Future<Void> refuse() {
    return onLoop(() -> verticle.gate().refuse());
  }

  /** Ends {@link #refuse}. */
  public Future<Void> accept() {
    return onLoop(() -> verticle.gate().accept());
  }

  /**
   * Holds back every byte in both directions, while connections stay open and new ones are
   * accepted: no answer, no event, no ping.
   */
  public Future<Void> freeze() {
    return onLoop(
        () -> {
          verticle.gate().freeze();
          return Future.succeededFuture();
        });
  }

  /** Ends {@link #freeze}; what was held back is delivered. */
  public Future<Void> thaw() {
    return onLoop(
        () -> {
          verticle.gate().thaw();
          return Future.succeededFuture();
        });
  }

  /**
   * Makes every present connection half-open: clients keep it and hear nothing on it ever again, as
   * behind a router that lost its state. New connections work. Returns how many.
   */
  public Future<Integer> halfOpen() {
    return onLoop(() -> Future.succeededFuture(verticle.gate().abandonAll()));
  }

  /**
   * Shows another certificate than that its kubeconfig is for, from the next connection on. Present
   * ones stay.
   */
  public Future<Void> show(Identity certificate) {
    return onLoop(() -> verticle.relay().show(certificate));
  }

  /** Ends the proxy and all connections through it. */
  public Future<Void> stop() {
    return vertx.undeploy(deployment);
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> work) {
    Promise<T> promise = Promise.promise();
    verticle
        .loop()
        .runOnContext(now -> Future.succeededFuture().compose(v -> work.get()).onComplete(promise));
    return promise.future();
  }

  /** What takes blocking calls to make. */
  record Prepared(Upstream upstream, Identity identity, String token, int port, Path kubeconfig) {
    static Prepared of(Path kubeconfig, Path folder) throws IOException {
      Upstream upstream = Upstream.of(kubeconfig);
      CertificateAuthority authority =
          CertificateAuthority.create("vertlet-fault-proxy", Clock.systemUTC());
      Identity identity =
          authority.issueServer("fault-proxy", List.of("localhost"), List.of("127.0.0.1"));
      String token = newToken();
      int port = LoopbackPorts.next();
      Path own =
          Kubeconfig.withToken(
                  URI.create("https://127.0.0.1:" + port), authority.certificatePem(), token)
              .writeTo(folder.resolve("fault-proxy-" + port + ".kubeconfig"));
      return new Prepared(upstream, identity, token, port, own);
    }

    private static String newToken() {
      byte[] secret = new byte[TOKEN_BYTES];
      new SecureRandom().nextBytes(secret);
      return HexFormat.of().formatHex(secret);
    }

    /** Never the token. */
    @Override
    public String toString() {
      return "Prepared[" + upstream + ", port " + port + "]";
    }
  }
}
