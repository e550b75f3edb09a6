package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;
import static dev.vertlet.bus.Addresses.POD_DELETION;
import static dev.vertlet.bus.Addresses.POD_ENQUEUED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodDeletion;
import dev.vertlet.bus.PodEnqueued;
import dev.vertlet.bus.Shards;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderCall;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets pods from a {@link PodSource} instead of watching them. */
public final class PodFeedVerticle extends VerticleBase implements PodFeed {
  private static final Logger LOG = LoggerFactory.getLogger(PodFeedVerticle.class);

  /** A list call without an answer for this long is repeated. */
  private static final Duration LIST_TIMEOUT = Duration.ofMinutes(2);

  private static final long AGAIN_MILLIS = 1_000;

  private final PodSource source;
  private final Set<String> nodes;
  private final Shards shards;
  private final Bus bus;
  private final PodMessages messages;
  private final Map<String, PodView> pods = new HashMap<>();

  /** Term of each served node's lease. */
  private final Map<String, Integer> terms = new HashMap<>();

  /** List calls in progress, by node. */
  private final Map<String, Meanwhile> listings = new HashMap<>();

  /** UIDs of pods that changed during a list call, whose result may not contain the change. */
  private record Meanwhile(Set<String> stored, Set<String> forgotten) {}

  /**
   * Creates the verticle.
   *
   * @param nodes names of all nodes of this agent
   */
  public PodFeedVerticle(PodSource source, Collection<String> nodes, Shards shards, Bus bus) {
    this.source = source;
    this.nodes = new HashSet<>(nodes);
    this.shards = shards;
    this.bus = bus;
    this.messages = new PodMessages(bus, shards, pod -> true);
  }

  @Override
  public Future<?> start() {
    return Future.all(
            bus.consume(LEASE_ACQUIRED, m -> acquired(m.node(), m.term())).completion(),
            bus.consume(LEASE_LOST, m -> terms.remove(m.node())).completion(),
            bus.consume(NODE_ADOPTED, m -> nodes.add(m.node())).completion(),
            bus.consume(NODE_RELEASED, m -> released(m.node())).completion())
        .compose(v -> ProviderCall.in(context, LIST_TIMEOUT, () -> source.start(this)));
  }

  private void released(String node) {
    nodes.remove(node);
    terms.remove(node);
    listings.remove(node);
    for (PodView known : new ArrayList<>(pods.values())) {
      if (known.nodeName().equals(node)) {
        pods.remove(known.uid());
        messages.gone(known, true);
      }
    }
  }

  private void acquired(String node, int term) {
    if (nodes.contains(node)) {
      terms.put(node, term);
      list(node, term);
    }
  }

  private boolean serves(String node, int term) {
    return Integer.valueOf(term).equals(terms.get(node));
  }

  private void list(String node, int term) {
    if (!serves(node, term)) {
      return;
    }
    Meanwhile meanwhile = new Meanwhile(new HashSet<>(), new HashSet<>());
    listings.put(node, meanwhile);
    ProviderCall.in(context, LIST_TIMEOUT, () -> source.list(node))
        .map(List::copyOf)
        .onSuccess(listed -> listed(node, term, listed, meanwhile))
        .onFailure(
            failure -> {
              LOG.atWarn()
                  .addKeyValue("node", node)
                  .addKeyValue("error", failure.getMessage())
                  .log("pods not listed by their source");
              vertx.setTimer(AGAIN_MILLIS, id -> list(node, term));
            });
  }

  private void listed(String node, int term, List<PodView> listed, Meanwhile meanwhile) {
    if (!serves(node, term)) {
      return;
    }
    listings.remove(node);
    Set<String> there = new HashSet<>(meanwhile.stored);
    for (PodView pod : listed) {
      if (pod.nodeName().equals(node) && !meanwhile.forgotten.contains(pod.uid())) {
        there.add(pod.uid());
        take(pod);
      }
    }
    for (PodView known : new ArrayList<>(pods.values())) {
      if (known.nodeName().equals(node) && !there.contains(known.uid())) {
        drop(known.ref());
      }
    }
    messages.synced(Set.of(node), term);
  }

  private void take(PodView pod) {
    PodView known = pods.get(pod.uid());
    if (nodes.contains(pod.nodeName())
        && (known == null || known.resourceVersion() < pod.resourceVersion())) {
      pods.put(pod.uid(), pod);
      messages.upserted(pod);
    }
  }

  private void drop(PodRef pod) {
    PodView known = pods.remove(pod.uid());
    if (known != null) {
      messages.gone(known, false);
    }
  }

  @Override
  public void store(PodView pod) {
    context.runOnContext(
        v -> {
          Meanwhile listing = listings.get(pod.nodeName());
          if (listing != null) {
            listing.stored.add(pod.uid());
          }
          take(pod);
        });
  }

  @Override
  public Future<Optional<PodView>> load(String namespace, String name) {
    Promise<Optional<PodView>> answer = Promise.promise();
    context.runOnContext(
        v ->
            answer.complete(
                pods.values().stream()
                    .filter(pod -> pod.name().equals(name) && pod.namespace().equals(namespace))
                    .max(Comparator.comparingLong(PodView::resourceVersion))));
    return answer.future();
  }

  @Override
  public void forget(PodRef pod) {
    context.runOnContext(
        v -> {
          listings.values().forEach(listing -> listing.forgotten.add(pod.uid()));
          listings.values().forEach(listing -> listing.stored.remove(pod.uid()));
          drop(pod);
        });
  }

  @Override
  public void enqueue(PodRef pod) {
    context.runOnContext(
        v -> {
          PodView known = pods.get(pod.uid());
          if (known != null) {
            // its status is compared with what the provider reported
            messages.upserted(known);
            int shard = shards.of(known.nodeName());
            bus.publish(POD_ENQUEUED.shard(shard), new PodEnqueued(known.ref()));
          }
        });
  }

  @Override
  public void enqueueDeletion(PodRef pod) {
    deletion(pod, true);
  }

  @Override
  public void forgetDeletion(PodRef pod) {
    deletion(pod, false);
  }

  private void deletion(PodRef pod, boolean wanted) {
    context.runOnContext(
        v -> {
          PodView known = pods.get(pod.uid());
          if (known != null) {
            int shard = shards.of(known.nodeName());
            bus.send(POD_DELETION.shard(shard), new PodDeletion(known.ref(), wanted));
          }
        });
  }
}
