package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.MIRROR_OBSERVED;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.PodGone;
import dev.vertlet.bus.PodObserved;
import dev.vertlet.bus.PodsSynced;
import dev.vertlet.bus.Shards;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.Reflector;
import dev.vertlet.kube.ReflectorListener;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.PodDecoder;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the pods of all own nodes and hands each to the shard of its node. */
public final class PodWatchVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(PodWatchVerticle.class);

  private final PodWatchOptions options;
  private final Set<String> nodes;
  private final Shards shards;
  private final KubeClient kube;
  private final Bus bus;
  private final RandomGenerator random;
  private final Predicate<PodView> filter;
  private final ObjectDecoder<PodView> decoder = new PodDecoder();

  /** By node; with a shared watch all nodes have the same. */
  private final Map<String, Reflector<PodView>> reflectors = new HashMap<>();

  /** All pods of the nodes. */
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
   * @param filter asked about every state of every pod of the nodes; one that it refuses is as if
   *     it were gone, until it is accepted. Must not block
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
    this.shards = shards;
    this.kube = kube;
    this.bus = bus;
    this.random = random;
    this.filter = filter;
  }

  @Override
  public Future<?> start() {
    if (options.perNode(nodes.size())) {
      nodes.forEach(node -> follow("pods of node " + node, "spec.nodeName=" + node, Set.of(node)));
    } else {
      follow("pods of all nodes", "spec.nodeName!=", nodes);
    }
    return bus.consume(LEASE_ACQUIRED, this::onAcquired).completion();
  }

  @Override
  public Future<?> stop() {
    Set.copyOf(reflectors.values()).forEach(Reflector::stop);
    return Future.succeededFuture();
  }

  /** Who served the node in between may have written what the watch has not brought yet. */
  private void onAcquired(LeaseAcquired acquired) {
    Reflector<PodView> reflector = reflectors.get(acquired.node());
    if (reflector != null && acquired.term() > 0) {
      PodsSynced synced = new PodsSynced(Set.of(acquired.node()), acquired.term());
      reflector
          .relist()
          .onSuccess(v -> bus.publish(PODS_SYNCED, synced))
          .onFailure(
              e ->
                  LOG.atDebug()
                      .addKeyValue("node", acquired.node())
                      .addKeyValue("error", e.getMessage())
                      .log("pods not listed anew"));
    }
  }

  private void follow(String name, String fieldSelector, Set<String> covered) {
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
    Reflector<PodView> reflector =
        new Reflector<>(kube, source, new Router(covered), Reflector.DEFAULT_BACKOFF, random);
    covered.forEach(node -> reflectors.put(node, reflector));
    reflector.start();
  }

  /** A filter that fails must not end pods. */
  private boolean wanted(PodView pod) {
    try {
      return filter.test(pod);
    } catch (RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("pod", pod.ref().display())
          .addKeyValue("error", e.toString())
          .log("the filter of pods fails; the pod counts as accepted");
      return true;
    }
  }

  private final class Router implements ReflectorListener<PodView> {
    private final Set<String> covered;

    Router(Set<String> covered) {
      this.covered = covered;
    }

    @Override
    public void upserted(PodView pod) {
      if (!nodes.contains(pod.nodeName())) {
        return;
      }
      int shard = shards.of(pod.nodeName());
      if (pod.mirrorOf() != null) {
        bus.publish(MIRROR_OBSERVED.shard(shard), new PodObserved(pod));
      } else if (wanted(pod)) {
        bus.publish(POD_OBSERVED.shard(shard), new PodObserved(pod));
      } else {
        // who never heard of it ignores that
        bus.publish(POD_GONE.shard(shard), new PodGone(pod.ref()));
      }
    }

    /**
     * A tombstone names no node; all shards hear of it, those that do not know the UID ignore it.
     */
    @Override
    public void deleted(Tombstone pod) {
      PodGone gone = new PodGone(new PodRef(pod.namespace(), pod.name(), pod.uid()));
      for (int shard = 0; shard < shards.count(); shard++) {
        bus.publish(POD_GONE.shard(shard), gone);
      }
    }

    @Override
    public void synced() {
      bus.publish(PODS_SYNCED, new PodsSynced(covered, 0));
    }
  }
}
