package dev.vertlet.apiserver.node;

import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods of each node. Pods are named by UID, so a name that is used again is another pod. */
public final class PodsByNode {
  /** A pod that is assigned to a node. */
  record Ref(String uid, String namespace, String name, String node) {}

  private final Cluster cluster;
  private final Map<String, Map<String, Ref>> byNode = new HashMap<>();

  public PodsByNode(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Starts to follow; whoever uses the index must start later. */
  public void start() {
    cluster.follow(cluster.pods(), this::seen, this::changed);
  }

  private void changed(StoreEvent event) {
    event.after().ifPresentOrElse(this::seen, () -> gone(event.gone()));
  }

  private void seen(StoredObject pod) {
    Ref ref = ref(pod);
    if (!ref.node().isEmpty()) {
      byNode.computeIfAbsent(ref.node(), any -> new LinkedHashMap<>()).putIfAbsent(ref.uid(), ref);
    }
  }

  private void gone(StoredObject pod) {
    String node = ref(pod).node();
    Map<String, Ref> pods = byNode.getOrDefault(node, Map.of());
    if (pods.containsKey(pod.uid())) {
      pods.remove(pod.uid());
      if (pods.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  static Ref ref(StoredObject pod) {
    return new Ref(
        pod.uid(), pod.namespace(), pod.name(), Json.text(pod.json(), "spec", "nodeName"));
  }

  /** The pods of a node, in the order they were assigned. */
  List<Ref> of(String node) {
    return List.copyOf(byNode.getOrDefault(node, Map.of()).values());
  }

  /** The pod itself, if it still exists. */
  Optional<StoredObject> find(Ref ref) {
    return cluster.find(cluster.pods(), ref.namespace(), ref.name(), ref.uid());
  }
}
