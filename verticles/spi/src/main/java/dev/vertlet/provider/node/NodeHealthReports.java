package dev.vertlet.provider.node;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Lets a back end push the health and the properties of its nodes. A node is healthy and as
 * configured until its first update. The counterpart of virtual-kubelet's NaiveNodeProviderV2.
 */
public final class NodeHealthReports implements NodeProvider {
  private final Promise<Listener> registered = Promise.promise();

  /** Confined to the listener's context. */
  private final Map<String, NodeHealth> reports = new HashMap<>();

  /**
   * Confined to the listener's context; contains only nodes that differ from their configuration.
   */
  private final Map<String, NodeSpec> described = new HashMap<>();

  private record Listener(Context context, Consumer<String> changed) {}

  /**
   * Sets the health of a node. May be called from any thread, also before the node is served.
   *
   * @return completes when the node's condition is about to be written
   */
  public Future<Void> update(String node, NodeHealth health) {
    return tell(node, () -> reports.put(node, health));
  }

  /**
   * Sets the health and the properties of a node. Labels, annotations, capacity, allocatable,
   * addresses and node info replace the earlier ones; labels and annotations that are missing now
   * are removed from the node. Taints and the pod CIDR stay as configured: like virtual-kubelet,
   * this method does not change the node's spec. May be called from any thread, also before the
   * node is served.
   *
   * @return completes when the node is about to be written
   */
  public Future<Void> update(NodeSpec node, NodeHealth health) {
    return tell(
        node.name(),
        () -> {
          reports.put(node.name(), health);
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
    return reports.getOrDefault(node, NodeHealth.HEALTHY);
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
