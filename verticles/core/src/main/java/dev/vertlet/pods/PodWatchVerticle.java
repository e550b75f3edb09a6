package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODES_LISTED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.Shards;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.WantedNodes;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the pods of all own nodes and publishes each to the shard of its node.
 *
 * <p>If several agents divide the nodes, or nodes are adopted, it publishes the pods of served
 * nodes only. When a node is no longer served, its pods are published as gone: the provider has
 * released them by then, so no pod is ended.
 */
public final class PodWatchVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(PodWatchVerticle.class);

  private final PodWatchOptions options;
  private final Set<String> nodes;
  private final boolean whileServed;
  private final KubeClient kube;
  private final Bus bus;
  private final RandomGenerator random;
  private final PodMessages messages;
  private final ObjectDecoder<PodView> decoder = new PodDecoder();

  /** By node; with a shared watch all nodes have the same reflector. */
  private final Map<String, Reflector<PodView>> reflectors = new HashMap<>();

  /** Router of each served node, if nodes are watched only while they are served. */
  private final Map<String, Router> routers = new HashMap<>();

  /** Withdrawals in progress, by node. */
  private final Map<String, Future<?>> withdrawals = new HashMap<>();

  /** Watches all pods of the nodes. */
  public PodWatchVerticle(
      PodWatchOptions options,
      Collection<String> nodes,
      Shards shards,
      KubeClient kube,
      Bus bus,
      RandomGenerator random) {
    this(options, nodes, shards, kube, bus, random, pod -> true);
  }

  /**
   * Watches the accepted pods of the nodes.
   *
   * @param filter evaluated for every version of every pod of the nodes; a rejected pod counts as
   *     gone until a later version is accepted. Must not block
   */
  public PodWatchVerticle(
      PodWatchOptions options,
      Collection<String> nodes,
      Shards shards,
      KubeClient kube,
      Bus bus,
      RandomGenerator random,
      Predicate<PodView> filter) {
    this.options = options;
    this.nodes = Set.copyOf(nodes);
    this.whileServed = options.whileServed(nodes.size());
    this.kube = kube;
    this.bus = bus;
    this.random = random;
    this.messages = new PodMessages(bus, shards, filter);
  }

  @Override
  public Future<?> start() {
    if (whileServed) {
      return Future.all(
          bus.consume(LEASE_ACQUIRED, this::join).completion(),
          bus.consume(LEASE_LOST, m -> leave(m.node())).completion());
    }
    if (options.shared() || options.adopting()) {
      return startServed();
    }
    if (options.perNode(nodes.size())) {
      nodes.forEach(node -> follow(node, new Router(Set.of(node), 0)));
    } else {
      Router router = new Router(nodes, 0);
      Reflector<PodView> reflector = ofAllNodes(router, nodes::contains);
      nodes.forEach(node -> reflectors.put(node, reflector));
      reflector.start();
    }
    return bus.consume(LEASE_ACQUIRED, this::onAcquired).completion();
  }

  private Future<?> startServed() {
    WantedNodes wanted = new WantedNodes();
    ServedPods served = new ServedPods(wanted, messages, this::relistAll);
    Reflector<PodView> reflector = ofAllNodes(served, wanted);
    List<Future<Void>> listening = new ArrayList<>();
    listening.add(
        bus.consume(LEASE_ACQUIRED, m -> served.acquired(m.node(), m.term())).completion());
    listening.add(bus.consume(LEASE_LOST, m -> served.lost(m.node())).completion());
    boolean alone = !options.shared();
    if (alone) {
      nodes.forEach(served::expected);
      listening.add(bus.consume(NODE_ADOPTED, m -> served.expected(m.node())).completion());
      listening.add(bus.consume(NODE_RELEASED, m -> served.released(m.node())).completion());
    }
    if (alone && nodes.isEmpty()) {
      // until the adopted nodes are known, the decoder would skip all pods
      listening.add(bus.consume(NODES_LISTED, m -> startOnce(reflector)).completion());
      return Future.all(listening);
    }
    return Future.all(listening).onSuccess(v -> startOnce(reflector));
  }

  private Future<Void> relistAll() {
    Reflector<PodView> reflector = reflectors.get("");
    return reflector == null ? Future.failedFuture("not started") : reflector.relist();
  }

  private void startOnce(Reflector<PodView> reflector) {
    if (reflectors.putIfAbsent("", reflector) == null) {
      reflector.start();
    }
  }

  @Override
  public Future<?> stop() {
    Set.copyOf(reflectors.values()).forEach(Reflector::stop);
    return Future.succeededFuture();
  }

  /**
   * Lists again before the node's pods are acted on: another agent may have served the node in
   * between and written what the watch has not delivered yet.
   */
  private void onAcquired(LeaseAcquired acquired) {
    Reflector<PodView> reflector = reflectors.get(acquired.node());
    if (reflector != null && acquired.term() > 0) {
      reflector
          .relist()
          .onSuccess(v -> messages.synced(Set.of(acquired.node()), acquired.term()))
          .onFailure(
              e ->
                  LOG.atDebug()
                      .addKeyValue("node", acquired.node())
                      .addKeyValue("error", e.getMessage())
                      .log("pods not listed anew"));
    }
  }

  private void join(LeaseAcquired acquired) {
    String node = acquired.node();
    Router router = new Router(Set.of(node), acquired.term());
    routers.put(node, router);
    // the withdrawal of the old watch must not follow the events of the new one
    withdrawals
        .getOrDefault(node, Future.succeededFuture())
        .onComplete(
            done -> {
              if (routers.get(node) == router) {
                follow(node, router);
              }
            });
  }

  private void leave(String node) {
    routers.remove(node);
    Reflector<PodView> reflector = reflectors.remove(node);
    if (reflector != null) {
      Future<?> withdrawn = reflector.withdraw();
      withdrawals.put(node, withdrawn);
      withdrawn.onComplete(done -> withdrawals.remove(node, withdrawn));
    }
  }

  private void follow(String node, Router router) {
    Reflector<PodView> reflector =
        reflector("pods of node " + node, "spec.nodeName=" + node, router, decoder);
    reflectors.put(node, reflector);
    reflector.start();
  }

  /**
   * Creates a reflector for the pods of all nodes.
   *
   * @param wanted the nodes whose pods are decoded
   */
  private Reflector<PodView> ofAllNodes(
      ReflectorListener<PodView> router, Predicate<String> wanted) {
    return reflector("pods of all nodes", "spec.nodeName!=", router, new PodDecoder(wanted));
  }

  private Reflector<PodView> reflector(
      String name,
      String fieldSelector,
      ReflectorListener<PodView> router,
      ObjectDecoder<PodView> decoder) {
    ListWatch<PodView> source =
        new ListWatch<>(
            name,
            KubePath.pods(),
            fieldSelector,
            "",
            decoder,
            options.pageSize(),
            options.maxEventBytes(),
            Duration.ofMinutes(5));
    return new Reflector<>(kube, source, router, Reflector.DEFAULT_BACKOFF, random);
  }

  private final class Router implements ReflectorListener<PodView> {
    private final Set<String> covered;
    private final int term;

    /**
     * Creates a router.
     *
     * @param term of the leases of {@code covered} in which their list begins
     */
    Router(Set<String> covered, int term) {
      this.covered = covered;
      this.term = term;
    }

    @Override
    public void upserted(PodView pod) {
      messages.upserted(pod);
    }

    /**
     * Publishes to all shards, since a tombstone names no node; shards that do not know the UID
     * ignore it.
     */
    @Override
    public void deleted(Tombstone pod) {
      messages.gone(new PodRef(pod.namespace(), pod.name(), pod.uid()), isOver());
    }

    /** Whether the router's node is no longer watched, or by another router. */
    private boolean isOver() {
      return whileServed && covered.stream().noneMatch(node -> routers.get(node) == this);
    }

    @Override
    public void synced() {
      messages.synced(covered, term);
    }
  }
}
