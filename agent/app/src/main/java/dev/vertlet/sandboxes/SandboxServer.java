package dev.vertlet.sandboxes;

import dev.vertlet.auth.ServiceAccess;
import dev.vertlet.kube.SteadyClock;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.loop.Env;
import dev.vertlet.registry.RegistryResolver;
import dev.vertlet.registry.ResolverOptions;
import dev.vertlet.sandbox.DigestResolver;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.Random;

/** Starts the parts of {@code sandbox serve}: API client, leader election, pools, API. */
public final class SandboxServer {
  /** In-flight requests: each claim needs two, and the node's swap causes two more. */
  private static final int WINDOW = 96;

  private final Vertx vertx;
  private final KubeClient kube;
  private final Pools pools;
  private final SandboxApi api;

  /** Deployments to undeploy on a stop; the embedder's Vert.x may have others. */
  private final List<String> deployed;

  private SandboxServer(
      Vertx vertx, List<String> deployed, KubeClient kube, Pools pools, SandboxApi api) {
    this.vertx = vertx;
    this.deployed = deployed;
    this.kube = kube;
    this.pools = pools;
    this.api = api;
  }

  /**
   * Starts the server. Completes when the API listens, which is before the pools are known; it
   * waits for an unreachable API server.
   *
   * @param namespace namespace of the Lease when the configuration names none
   * @param identity identity of this process among others
   */
  public static Future<SandboxServer> start(
      Vertx vertx,
      SandboxConfig config,
      ApiAccess access,
      String namespace,
      String identity,
      MeterRegistry metrics) {
    KubeClientOptions options = KubeClientOptions.defaults().withWindow(WINDOW);
    return KubeClient.create(vertx, options, access, metrics)
        .compose(kube -> start(vertx, config, kube, namespace, identity, metrics));
  }

  private static Future<SandboxServer> start(
      Vertx vertx,
      SandboxConfig config,
      KubeClient kube,
      String namespace,
      String identity,
      MeterRegistry metrics) {
    Env env = new Env(SteadyClock.ofMachine(), System::nanoTime, new Random(), metrics);
    // other processes compare the Lease's times with theirs
    Env wall = new Env(Clock.systemUTC(), System::nanoTime, new Random(), metrics);
    Pools pools = new Pools(vertx, config, kube, v -> resolver(v, config, kube, env.clock()), env);
    SandboxConfig.Leader election = config.leader();
    LeaderVerticle leader =
        new LeaderVerticle(
            election,
            election.namespace().isEmpty() ? namespace : election.namespace(),
            identity,
            config.api().advertise(),
            kube,
            wall,
            pools);
    SandboxApi api =
        new SandboxApi(
            config, pools::acting, leader::known, v -> new ServiceAccess(v, kube, env), metrics);
    return vertx
        .deployVerticle(api)
        .compose(
            served ->
                election.enabled()
                    ? vertx.deployVerticle(leader).map(elected -> List.of(served, elected))
                    : pools.acquired().map(acting -> List.of(served)))
        .map(deployed -> new SandboxServer(vertx, deployed, kube, pools, api));
  }

  private static DigestResolver resolver(
      Vertx vertx, SandboxConfig config, KubeClient kube, Clock clock) {
    return config.resolver() == SandboxConfig.Resolver.SIMULATED
        ? new SimulatedDigests()
        : new RegistryResolver(
            vertx,
            ResolverOptions.DEFAULTS
                .withPlainHttp(config.plainHttp())
                .withRegistries(config.registries().all()),
            kube,
            clock);
  }

  /** Completes with the port of the API. */
  public Future<Integer> port() {
    return api.port();
  }

  /**
   * Fails pending claims, completes writes, releases the Lease and closes connections. Responses to
   * claims are sent before the API closes.
   */
  public Future<Void> stop() {
    return pools
        .lost()
        .<Void>mapEmpty()
        .eventually(() -> Future.join(deployed.stream().map(vertx::undeploy).toList()))
        .eventually(kube::close);
  }
}
