package dev.vertlet.pods;

import dev.vertlet.kube.ReflectorListener;
import dev.vertlet.model.PodView;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pods of all nodes of a cluster, of which those are told that are on nodes which are served. A
 * node may come to be served, and its pods be told, long after the watch brought them. Confined to
 * one context.
 */
final class ServedPods implements ReflectorListener<PodView> {
  private static final Logger LOG = LoggerFactory.getLogger(ServedPods.class);

  /** Who is told. */
  interface Listeners {
    void upserted(PodView pod);

    /**
     * @param elsewhere it is still there, but its node is served no longer
     */
    void gone(PodView pod, boolean elsewhere);

    /** All pods of these nodes were told, in this term of their Leases. */
    void synced(Set<String> nodes, int term);

    /** Completes when everything that was there when this was called was told to the watch. */
    Future<Void> relist();
  }

  private final Listeners listeners;

  /** By node, then by UID. */
  private final Map<String, Map<String, PodView>> nodes = new HashMap<>();

  /** The node of each pod, by its UID. */
  private final Map<String, String> places = new HashMap<>();

  /** Of the Leases of nodes that are served. */
  private final Map<String, Integer> terms = new HashMap<>();

  private boolean synced;

  ServedPods(Listeners listeners) {
    this.listeners = listeners;
  }

  /** How many pods are known, on whatever node. */
  int size() {
    return places.size();
  }

  @Override
  public void upserted(PodView pod) {
    places.put(pod.uid(), pod.nodeName());
    nodes.computeIfAbsent(pod.nodeName(), node -> new HashMap<>()).put(pod.uid(), pod);
    if (terms.containsKey(pod.nodeName())) {
      listeners.upserted(pod);
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
      listeners.gone(pod, false);
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
      listeners.synced(first, 0);
    }
  }

  /** Who served the node in between may have written what the watch has not brought yet. */
  void acquired(String node, int term) {
    terms.put(node, term);
    List.copyOf(nodes.getOrDefault(node, Map.of()).values()).forEach(listeners::upserted);
    if (term == 0) {
      if (synced) {
        listeners.synced(Set.of(node), term);
      }
      return;
    }
    listeners
        .relist()
        .onSuccess(
            listed -> {
              if (Integer.valueOf(term).equals(terms.get(node))) {
                listeners.synced(Set.of(node), term);
              }
            })
        .onFailure(
            failure ->
                LOG.atDebug()
                    .addKeyValue("node", node)
                    .addKeyValue("error", failure.getMessage())
                    .log("pods not listed anew"));
  }

  void lost(String node) {
    if (terms.remove(node) != null) {
      List.copyOf(nodes.getOrDefault(node, Map.of()).values())
          .forEach(pod -> listeners.gone(pod, true));
    }
  }
}
