package dev.vertlet.kubelet;

import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderCall;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Calls the provider of a node where it lives, and brings its answers back. */
public final class Providers {
  /**
   * One shard's provider.
   *
   * @param loop runs things on the shard's event loop
   */
  public record Home(PodProvider provider, Executor loop) {}

  private final Vertx vertx;
  private final Map<String, Home> byNode;

  /**
   * @param byNode where each node's provider lives
   */
  public Providers(Vertx vertx, Map<String, Home> byNode) {
    this.vertx = vertx;
    this.byNode = Map.copyOf(byNode);
  }

  /**
   * @param node one that is served here
   * @param call made on the loop of the node's shard
   * @return completes on the caller's context; fails as the call does
   */
  <T> Future<T> call(String node, Function<PodProvider, Future<T>> call) {
    Home home = byNode.get(node);
    if (home == null) {
      return Future.failedFuture(HttpFailure.notServed(node));
    }
    Context own = vertx.getOrCreateContext();
    Promise<T> answer = Promise.promise();
    home.loop()
        .execute(
            () ->
                ProviderCall.ask(() -> call.apply(home.provider()))
                    .onComplete(
                        done ->
                            own.runOnContext(v -> answer.complete(done.result(), done.cause()))));
    return answer.future();
  }
}
