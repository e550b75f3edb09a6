package dev.vertlet.api.route;

import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.pod.PodProvider;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls a node's provider on its shard's loop; results return to the caller's context. */
public final class ServedNodes {
  /**
   * One shard's provider.
   *
   * @param loop runs tasks on the shard's event loop
   */
  public record ServedNode(PodProvider provider, Executor loop) {}

  /** Time limit of short calls; a kubelet's runtime call timeouts are at least as long. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final Function<String, @Nullable ServedNode> byNode;
  private final Duration patience;

  /**
   * @param byNode provider of each node; null for a node that is not served here
   */
  public ServedNodes(Vertx vertx, Function<String, @Nullable ServedNode> byNode) {
    this(vertx, byNode, PATIENCE);
  }

  ServedNodes(Vertx vertx, Function<String, @Nullable ServedNode> byNode, Duration patience) {
    this.vertx = vertx;
    this.byNode = byNode;
    this.patience = patience;
  }

  /**
   * Makes a short call.
   *
   * @return as {@link #call}; fails without an answer within 30 s
   */
  <T> Future<T> ask(String node, Function<PodProvider, Future<T>> question) {
    return call(node, question)
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .recover(failure -> Future.failedFuture(late(failure)));
  }

  private Throwable late(Throwable failure) {
    return failure instanceof TimeoutException
        ? new HttpFailure(
            500, "the provider did not answer within " + patience.toMillis() + " ms\n")
        : failure;
  }

  /**
   * Makes a call that may last as long as its client stays.
   *
   * @param node a node that is served here
   * @param call called on the loop of the node's shard
   * @return completes on the caller's context; fails as the call does
   */
  <T> Future<T> call(String node, Function<PodProvider, Future<T>> call) {
    ServedNode served = byNode.apply(node);
    if (served == null) {
      return Future.failedFuture(HttpFailure.notServed(node));
    }
    Context own = vertx.getOrCreateContext();
    Promise<T> answer = Promise.promise();
    served
        .loop()
        .execute(
            () ->
                ProviderCall.ask(() -> call.apply(served.provider()))
                    .onComplete(
                        done ->
                            own.runOnContext(v -> answer.complete(done.result(), done.cause()))));
    return answer.future();
  }

  /**
   * Makes a call for a client that may leave; the result then fails, whatever the provider does.
   *
   * @param gone completes when the client has left
   * @param call not called when the client has already left
   * @return fails with the reason when the client left first
   */
  static <T> Future<T> whileThere(Future<Void> gone, Supplier<Future<T>> call) {
    if (gone.isComplete()) {
      return Future.failedFuture(left());
    }
    Promise<T> over = Promise.promise();
    gone.onComplete(v -> over.tryFail(left()));
    call.get().onSuccess(over::tryComplete).onFailure(over::tryFail);
    return over.future();
  }

  private static HttpFailure left() {
    return new HttpFailure(500, "the client has left\n");
  }
}
