package dev.vertlet.adopt;

import static dev.vertlet.bus.Addresses.NODES_LISTED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_OBSERVED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;

import dev.vertlet.adopt.Adoptions.Effect;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.NodeObserved;
import dev.vertlet.bus.NodeReleased;
import dev.vertlet.bus.NodesListed;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches the nodes of label selectors, and publishes their adoption and release. */
public final class AdoptVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptVerticle.class);

  private final List<String> selectors;
  private final AdoptTarget target;
  private final Shards shards;
  private final KubeClient kube;
  private final Bus bus;
  private final RandomGenerator random;
  private final Adoptions adoptions;
  private final List<Reflector<NodeView>> reflectors = new ArrayList<>();

  /**
   * Creates the verticle.
   *
   * @param selectors label selectors; a node belongs to the first one that matches it
   * @param own names of nodes that the agent creates itself
   */
  public AdoptVerticle(
      List<String> selectors,
      Set<String> own,
      AdoptTarget target,
      Shards shards,
      KubeClient kube,
      Bus bus,
      RandomGenerator random) {
    this.selectors = List.copyOf(selectors);
    this.target = target;
    this.shards = shards;
    this.kube = kube;
    this.bus = bus;
    this.random = random;
    this.adoptions = new Adoptions(selectors.size(), own);
  }

  @Override
  public Future<?> start() {
    for (int i = 0; i < selectors.size(); i++) {
      ListWatch<NodeView> source =
          new ListWatch<>(
              "nodes with " + selectors.get(i),
              KubePath.nodes(),
              "",
              selectors.get(i),
              new NodeDecoder(),
              500,
              1 << 20,
              Duration.ofMinutes(5));
      Reflector<NodeView> reflector =
          new Reflector<>(kube, source, new Listener(i), Reflector.DEFAULT_BACKOFF, random);
      reflectors.add(reflector);
      reflector.start();
    }
    return Future.succeededFuture();
  }

  /**
   * Stops the watches; nodes stay adopted, and the verticles that serve them stop by themselves.
   */
  @Override
  public Future<?> stop() {
    reflectors.forEach(Reflector::stop);
    return Future.succeededFuture();
  }

  private void perform(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Adopt adopt) {
        adopt(adopt.by(), adopt.node());
      } else if (effect instanceof Effect.Change change) {
        change(change.by(), change.node());
      } else if (effect instanceof Effect.Release release) {
        release(release.node());
      }
    }
  }

  private void adopt(int selector, NodeView node) {
    target.adopted(selector, node);
    LOG.atDebug()
        .addKeyValue("node", node.name())
        .addKeyValue("selector", selectors.get(selector))
        .log("node adopted");
    NodeAdopted adopted = new NodeAdopted(node.name(), target.selfManaged(selector));
    int shard = shards.of(node.name());
    // the lease verticle must know the node before other verticles need its lease
    bus.publish(NODE_ADOPTED, adopted);
    bus.publish(NODE_ADOPTED.shard(shard), adopted);
    bus.publish(NODE_OBSERVED.shard(shard), new NodeObserved(node));
  }

  private void change(int selector, NodeView node) {
    int shard = shards.of(node.name());
    if (target.changed(selector, node)) {
      bus.publish(NODE_CONFIGURED.shard(shard), new NodeConfigured(node.name()));
    }
    bus.publish(NODE_OBSERVED.shard(shard), new NodeObserved(node));
  }

  private void release(String node) {
    LOG.atDebug().addKeyValue("node", node).log("node released: deleted, or no longer selected");
    NodeReleased released = new NodeReleased(node);
    bus.publish(NODE_RELEASED, released);
    bus.publish(NODE_RELEASED.shard(shards.of(node)), released);
    target.released(node);
  }

  private final class Listener implements ReflectorListener<NodeView> {
    private final int selector;

    Listener(int selector) {
      this.selector = selector;
    }

    @Override
    public void upserted(NodeView node) {
      perform(adoptions.observed(selector, node));
    }

    @Override
    public void deleted(Tombstone node) {
      perform(adoptions.gone(selector, node.name(), node.uid()));
    }

    @Override
    public void synced() {
      perform(adoptions.synced(selector));
      if (adoptions.listed()) {
        LOG.atInfo().addKeyValue("nodes", adoptions.size()).log("nodes adopted");
        bus.publish(NODES_LISTED, new NodesListed());
      }
    }
  }
}
