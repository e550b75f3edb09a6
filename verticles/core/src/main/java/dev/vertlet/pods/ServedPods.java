package dev.vertlet.pods;

import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.node.WantedNodes;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects, from one watch of a cluster's pods, those on nodes that are served or expected to be;
 * the latter may be published long after their watch event. Pods of other nodes are skipped without
 * decoding, so that they cost nothing, and are listed when their node begins to be served. Confined
 * to one context.
 */
final class ServedPods implements ReflectorListener<PodView> {
  private static final Logger LOG = LoggerFactory.getLogger(ServedPods.class);

  private final PodMessages messages;
  private final Supplier<Future<Void>> relist;

  /** By node, then by UID. */
  private final Map<String, Map<String, PodView>> nodes = new HashMap<>();

  /** The node of each pod, by its UID. */
  private final Map<String, String> places = new HashMap<>();

  /** Lease terms of the served nodes. */
  private final Map<String, Integer> terms = new HashMap<>();

  /** Nodes that this agent is to serve, whether it does so yet or not. */
  private final Set<String> expected = new HashSet<>();

  /** Nodes with a held Lease whose pods are being listed, with the terms of the Leases. */
  private final Map<String, Integer> awaited = new HashMap<>();

  private final WantedNodes wanted;

  private boolean synced;

  /**
   * Creates a selection.
   *
   * @param wanted receives the nodes whose pods are to be decoded
   * @param relist completes when the watch has received everything that existed at the time of the
   *     call
   */
  ServedPods(WantedNodes wanted, PodMessages messages, Supplier<Future<Void>> relist) {
    this.wanted = wanted;
    this.messages = messages;
    this.relist = relist;
  }

  /** Number of known pods on all nodes. */
  int size() {
    return places.size();
  }

  /** Keeps the pods of a node from now on: this agent is to serve it. */
  void expected(String node) {
    expected.add(node);
    wanted.want(node);
  }

  /** This agent is not to serve the node any more. */
  void released(String node) {
    expected.remove(node);
    leave(node);
  }

  private void leave(String node) {
    if (!expected.contains(node) && !terms.containsKey(node) && !awaited.containsKey(node)) {
      wanted.leave(node);
    }
  }

  @Override
  public void upserted(PodView pod) {
    places.put(pod.uid(), pod.nodeName());
    nodes.computeIfAbsent(pod.nodeName(), node -> new HashMap<>()).put(pod.uid(), pod);
    if (terms.containsKey(pod.nodeName())) {
      messages.upserted(pod);
    }
  }

  @Override
  public void deleted(Tombstone gone) {
    String node = places.remove(gone.uid());
    Map<String, PodView> pods = node == null ? null : nodes.get(node);
    if (pods == null) {
      return;
    }
    PodView pod = pods.remove(gone.uid());
    if (pods.isEmpty()) {
      nodes.remove(node);
    }
    if (pod != null && terms.containsKey(node)) {
      messages.gone(pod, false);
    }
  }

  @Override
  public void synced() {
    synced = true;
    Set<String> first =
        terms.entrySet().stream()
            .filter(entry -> entry.getValue() == 0)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    if (!first.isEmpty()) {
      messages.synced(first, 0);
    }
  }

  /**
   * Publishes the node's pods, and lists again before they are acted on: another agent may have
   * served the node in between and written what the watch has not delivered yet.
   */
  void acquired(String node, int term) {
    wanted.want(node);
    if (wanted.takeIncomplete(node)) {
      awaited.put(node, term);
      relist(
          node,
          () -> {
            if (awaited.remove(node, term)) {
              tell(node, term);
              messages.synced(Set.of(node), term);
            }
          });
      return;
    }
    tell(node, term);
    if (term > 0) {
      relist(
          node,
          () -> {
            if (Integer.valueOf(term).equals(terms.get(node))) {
              messages.synced(Set.of(node), term);
            }
          });
    } else if (synced) {
      messages.synced(Set.of(node), term);
    }
  }

  private void tell(String node, int term) {
    terms.put(node, term);
    List.copyOf(nodes.getOrDefault(node, Map.of()).values()).forEach(messages::upserted);
  }

  private void relist(String node, Runnable then) {
    relist
        .get()
        .onSuccess(listed -> then.run())
        .onFailure(
            failure ->
                LOG.atDebug()
                    .addKeyValue("node", node)
                    .addKeyValue("error", failure.getMessage())
                    .log("pods not listed anew"));
  }

  void lost(String node) {
    if (awaited.remove(node) != null) {
      wanted.passedOver(node);
    } else if (terms.remove(node) != null) {
      List.copyOf(nodes.getOrDefault(node, Map.of()).values())
          .forEach(pod -> messages.gone(pod, true));
    }
    leave(node);
  }
}
