package dev.vertlet.nodes;

import static dev.vertlet.bus.Addresses.NODE_GONE;
import static dev.vertlet.bus.Addresses.NODE_OBSERVED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.NodeGone;
import dev.vertlet.bus.NodeObserved;
import dev.vertlet.bus.Shards;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Watches all Node objects of this agent with one watch by label. */
public final class NodeWatchVerticle extends VerticleBase {
  private final NodeOptions options;
  private final Shards shards;
  private final KubeClient kube;
  private final Bus bus;
  private final RandomGenerator random;
  private @Nullable Reflector<NodeView> reflector;

  public NodeWatchVerticle(
      NodeOptions options, Shards shards, KubeClient kube, Bus bus, RandomGenerator random) {
    this.options = options;
    this.shards = shards;
    this.kube = kube;
    this.bus = bus;
    this.random = random;
  }

  @Override
  public Future<?> start() {
    ListWatch<NodeView> source =
        new ListWatch<>(
            "own nodes",
            KubePath.nodes(),
            "",
            NodeOptions.AGENT_LABEL + "=" + options.label(),
            new NodeDecoder(),
            500,
            1 << 20,
            Duration.ofMinutes(5));
    reflector = new Reflector<>(kube, source, new Router(), Reflector.DEFAULT_BACKOFF, random);
    reflector.start();
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    if (reflector != null) {
      reflector.stop();
    }
    return Future.succeededFuture();
  }

  private final class Router implements ReflectorListener<NodeView> {
    @Override
    public void upserted(NodeView node) {
      bus.publish(NODE_OBSERVED.shard(shards.of(node.name())), new NodeObserved(node));
    }

    @Override
    public void deleted(Tombstone node) {
      bus.publish(NODE_GONE.shard(shards.of(node.name())), new NodeGone(node.name(), node.uid()));
    }

    @Override
    public void synced() {}
  }
}
