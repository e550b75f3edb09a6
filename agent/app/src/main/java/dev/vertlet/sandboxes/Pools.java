package dev.vertlet.sandboxes;

import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.sandbox.DigestResolver;
import dev.vertlet.sandbox.pool.PoolVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs the pools while this process is the leader. Deployments and undeployments run one after
 * another, however fast the Lease changes hands.
 */
final class Pools implements LeaderVerticle.Listener {
  private record Running(PoolVerticle verticle, String deployment) {}

  private final Vertx vertx;
  private final SandboxConfig config;
  private final KubeClient kube;
  private final Function<Vertx, DigestResolver> resolver;
  private final Env env;
  private Future<Optional<Running>> turn = Future.succeededFuture(Optional.empty());
  private volatile Optional<PoolVerticle> acting = Optional.empty(); // read by the API's loop

  Pools(
      Vertx vertx,
      SandboxConfig config,
      KubeClient kube,
      Function<Vertx, DigestResolver> resolver,
      Env env) {
    this.vertx = vertx;
    this.config = config;
    this.kube = kube;
    this.resolver = resolver;
    this.env = env;
  }

  /** Returns the pools; empty while another process acts. Thread-safe. */
  Optional<PoolVerticle> acting() {
    return acting;
  }

  @Override
  public Future<?> acquired() {
    turn = turn.compose(now -> now.isPresent() ? Future.succeededFuture(now) : begin());
    return turn;
  }

  private Future<Optional<Running>> begin() {
    PoolVerticle verticle =
        new PoolVerticle(config.pools(), config.names(), kube, resolver.apply(vertx), env);
    return vertx
        .deployVerticle(verticle)
        .map(
            id -> {
              acting = Optional.of(verticle);
              return Optional.of(new Running(verticle, id));
            });
  }

  @Override
  public Future<?> lost() {
    acting = Optional.empty();
    turn =
        turn.compose(
            now ->
                now.isEmpty()
                    ? Future.succeededFuture(now)
                    : vertx.undeploy(now.get().deployment()).map(v -> Optional.empty()));
    return turn;
  }
}
