package dev.vertlet.provider;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Nodes of which the back end tells what became of them: their health, and what they have. As
 * configured and well until told otherwise. What virtual-kubelet's NaiveNodeProviderV2 is for.
 */
public final class NodeHealthReports implements NodeProvider {
  private final Promise<Listener> registered = Promise.promise();

  /** Belongs to the listener's context. */
  private final Map<String, NodeHealth> told = new HashMap<>();

  /** The same; nodes that are as configured are missing. */
  private final Map<String, NodeSpec> described = new HashMap<>();

  private record Listener(Context context, Consumer<String> changed) {}

  /**
   * The node is like this from now on. May be called from any thread, also before the node is
   * served.
   *
   * @return completes when the node's condition is about to be written
   */
  public Future<Void> update(String node, NodeHealth health) {
    return tell(node, () -> told.put(node, health));
  }

  /**
   * The node is like this and has this from now on: labels, annotations, capacity, allocatable,
   * addresses and node info are taken over as they are given, and labels and annotations of before
   * that it lacks are taken off the node. Taints and pod addresses stay as configured: like
   * virtual-kubelet, this leaves the node's spec alone. May be called from any thread, also before
   * the node is served.
   *
   * @return completes when the node is about to be written
   */
  public Future<Void> update(NodeSpec node, NodeHealth health) {
    return tell(
        node.name(),
        () -> {
          told.put(node.name(), health);
          described.put(node.name(), node);
        });
  }

  private Future<Void> tell(String node, Runnable change) {
    return registered
        .future()
        .compose(
            listener -> {
              Promise<Void> done = Promise.promise();
              listener.context.runOnContext(
                  v -> {
                    change.run();
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

  @Override
  public NodeSpec configure(NodeSpec spec) {
    NodeSpec now = described.get(spec.name());
    return now == null
        ? spec
        : new NodeSpec(
            spec.name(),
            now.labels(),
            now.annotations(),
            spec.taints(),
            now.capacity(),
            now.allocatable(),
            now.addresses(),
            now.nodeInfo(),
            spec.podCidr(),
            spec.features(),
            spec.images());
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
