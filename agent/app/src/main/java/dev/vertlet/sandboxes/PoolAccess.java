package dev.vertlet.sandboxes;

import dev.vertlet.auth.ServiceAccess;
import dev.vertlet.auth.ServiceAccess.Action;
import dev.vertlet.http.HttpServers;
import dev.vertlet.sandbox.pool.PoolSpec;
import dev.vertlet.sandbox.pool.PoolVerticle;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Admits requests to the pools: authenticated, authorized, and sent to the leader. */
final class PoolAccess {
  private static final String GROUP = "vertlet.dev";
  private static final String RESOURCE = "sandboxclaims";

  private final List<PoolSpec> specs;
  private final Supplier<Optional<PoolVerticle>> pools;
  private final Supplier<LeaderVerticle.Known> leader;
  private final @Nullable ServiceAccess control;

  /**
   * @param pools empty while another process acts
   * @param control null without authentication
   */
  PoolAccess(
      List<PoolSpec> specs,
      Supplier<Optional<PoolVerticle>> pools,
      Supplier<LeaderVerticle.Known> leader,
      @Nullable ServiceAccess control) {
    this.specs = specs;
    this.pools = pools;
    this.leader = leader;
    this.control = control;
  }

  /**
   * Admits a request to all pools.
   *
   * @return fails after the error response was sent
   */
  Future<PoolVerticle> admitToAll(RoutingContext c, String verb) {
    return admit(c, new Action(verb, GROUP, RESOURCE, "", ""));
  }

  /**
   * Admits a request to the pool of its path.
   *
   * @return fails after the error response was sent
   */
  Future<PoolVerticle> admit(RoutingContext c, String verb) {
    String name = c.pathParam("pool");
    String namespace =
        specs.stream()
            .filter(pool -> pool.name().equals(name))
            .map(PoolSpec::namespace)
            .findFirst()
            .orElse("");
    return admit(c, new Action(verb, GROUP, RESOURCE, namespace, name));
  }

  private Future<PoolVerticle> admit(RoutingContext c, Action action) {
    Future<?> known =
        control == null ? Future.succeededFuture() : control.admit(c.request(), action);
    return known
        .onSuccess(user -> HttpServers.admitted(c.request()))
        .compose(
            user ->
                pools
                    .get()
                    .map(Future::succeededFuture)
                    .orElseGet(() -> Future.failedFuture(new Responses.StandingBy(leader.get()))))
        .onFailure(
            failure -> {
              Responses.closeUnlessRead(c.request());
              Responses.refuse(c, failure);
            });
  }
}
