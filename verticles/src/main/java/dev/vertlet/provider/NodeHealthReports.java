package dev.vertlet.provider;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Nodes whose health the back end tells when it changes; well until told otherwise. What
 * virtual-kubelet's NaiveNodeProviderV2 is for.
 */
public final class NodeHealthReports implements NodeProvider {
  private final Promise<Listener> registered = Promise.promise();

  /** Belongs to the listener's context. */
  private final Map<String, NodeHealth> told = new HashMap<>();

  private record Listener(Context context, Consumer<String> changed) {}

  /**
   * The node is like this from now on. May be called from any thread, also before the node is
   * served.
   *
   * @return completes when the node's condition is about to be written
   */
  public Future<Void> update(String node, NodeHealth health) {
    return registered
        .future()
        .compose(
            listener -> {
              Promise<Void> done = Promise.promise();
              listener.context.runOnContext(
                  v -> {
                    told.put(node, health);
                    listener.changed.accept(node);
                    done.complete();
                  });
              return done.future();
            });
  }

  @Override
  public Future<Void> ping(String node) {
    return Future.succeededFuture();
  }

  @Override
  public NodeHealth health(String node) {
    return told.getOrDefault(node, NodeHealth.HEALTHY);
  }

  /** Called once, on the event loop of the shard. */
  @Override
  public void onChange(Consumer<String> listener) {
    Context context = Vertx.currentContext();
    if (context == null) {
      throw new IllegalStateException("listeners are registered on an event loop");
    }
    registered.tryComplete(new Listener(context, listener));
  }
}
