package dev.vertlet.harness.fault;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.harness.loopback.Kubeconfig;
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
 * Proxy of an API server that injects faults. Without faults, clients that use its {@link
 * #kubeconfig} speak HTTP/2 or HTTP/1.1 with the real API server, watches included.
 *
 * <p>Thread-safe. Methods that return a Future do their work on the proxy's event loop; the Future
 * completes on that loop when the work is done.
 */
public final class FaultProxy {
  /** Length of the token: 256 bits, which cannot be guessed. */
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
   * Starts a proxy for the cluster of a kubeconfig. It authenticates at the API server with that
   * kubeconfig's token or certificate. Its clients must send the proxy's own token, which only its
   * kubeconfig contains, because other users of this machine can reach its port, too.
   *
   * @param kubeconfig kubeconfig of the API server
   * @param folder folder for the proxy's own kubeconfig
   * @param random decides about faults with a probability below 1
   * @return fails when the kubeconfig is unusable, or with the reason why the proxy cannot listen
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

  /** Kubeconfig whose server is this proxy. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /**
   * Injects a fault until it has happened as often as it says, it is removed, or {@link #heal} is
   * called.
   */
  public InjectedFault inject(Fault fault) {
    return verticle.plan().add(fault);
  }

  /** Counters of requests and bytes. */
  public TrafficLog traffic() {
    return verticle.log();
  }

  /** Removes all faults, thaws frozen connections and accepts connections again. */
  public Future<Void> heal() {
    verticle.plan().clear();
    return thaw().compose(thawed -> accept());
  }

  /**
   * Cuts every connection that carries a watch, along with its other requests; returns the number
   * of ended watches.
   */
  public Future<Integer> cutWatches() {
    return onLoop(() -> Future.succeededFuture(verticle.relay().cutWatches()));
  }

  /**
   * Cuts like {@link #cutWatches}, but only watches that have sent an event: a client whose watches
   * are always cut earlier makes no progress.
   */
  public Future<Integer> cutActiveWatches() {
    return onLoop(() -> Future.succeededFuture(verticle.relay().cutActiveWatches()));
  }

  /** Cuts every connection; returns their number. Accepts new ones. */
  public Future<Integer> cutAll() {
    return onLoop(() -> Future.succeededFuture(verticle.gate().cutAll()));
  }

  /** Cuts every connection and refuses new ones, like an API server that is down. */
  public Future<Void> refuse() {
    return onLoop(() -> verticle.gate().refuse());
  }

  /** Ends {@link #refuse}. */
  public Future<Void> accept() {
    return onLoop(() -> verticle.gate().accept());
  }

  /**
   * Holds back every byte in both directions while connections stay open and new ones are accepted:
   * no answer, no event, no ping.
   */
  public Future<Void> freeze() {
    return onLoop(
        () -> {
          verticle.gate().freeze();
          return Future.succeededFuture();
        });
  }

  /** Ends {@link #freeze} and delivers the held bytes. */
  public Future<Void> thaw() {
    return onLoop(
        () -> {
          verticle.gate().thaw();
          return Future.succeededFuture();
        });
  }

  /**
   * Makes every present connection half-open: clients keep the connection but receive no byte any
   * more, as behind a router that lost its state. New connections work. Returns the number of
   * connections.
   */
  public Future<Integer> halfOpen() {
    return onLoop(() -> Future.succeededFuture(verticle.gate().abandonAll()));
  }

  /**
   * Presents another certificate than the one in the proxy's kubeconfig, from the next connection
   * on. Present connections stay.
   */
  public Future<Void> show(Identity certificate) {
    return onLoop(() -> verticle.relay().show(certificate));
  }

  /** Stops the proxy and closes all its connections. */
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

  /** Parts whose creation blocks. */
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

    /** Leaves out the token. */
    @Override
    public String toString() {
      return "Prepared[" + upstream + ", port " + port + "]";
    }
  }
}
