package dev.vertlet.apiserver.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.Deadlines;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.node.PodsByNode.Ref;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;

/**
 * Removes pods that are bound to a node which does not exist. The node has some time to come back:
 * an agent that starts creates its Node after its pods may have been seen.
 */
public final class PodGc {
  private final Cluster cluster;
  private final PodsByNode pods;
  private final Duration delay;
  private final Deadlines<String> quarantine;
  private final WorkQueue<Ref> removals;

  /**
   * @param delay from the first time a node is missed to the removal of its pods
   */
  public PodGc(Cluster cluster, PodsByNode pods, Duration delay) {
    this.cluster = cluster;
    this.pods = pods;
    this.delay = delay;
    this.removals = new WorkQueue<>(cluster, this::remove);
    this.quarantine =
        new Deadlines<>(cluster.clock(), cluster, node -> pods.of(node).forEach(removals::add));
  }

  public void start() {
    cluster.follow(cluster.nodes(), node -> {}, this::nodeChanged);
    cluster.follow(cluster.pods(), this::podSeen, event -> event.after().ifPresent(this::podSeen));
  }

  private void nodeChanged(StoreEvent event) {
    event
        .after()
        .ifPresentOrElse(node -> quarantine.remove(node.name()), () -> miss(event.gone().name()));
  }

  private void podSeen(StoredObject pod) {
    String node = Json.text(pod.json(), "spec", "nodeName");
    if (!node.isEmpty() && !exists(node)) {
      miss(node);
    }
  }

  private boolean exists(String node) {
    return cluster.find(cluster.nodes(), "", node).isPresent();
  }

  private void miss(String node) {
    quarantine.putIfAbsent(node, cluster.clock().instant().plus(delay));
  }

  private void remove(Ref ref) {
    StoredObject pod = pods.find(ref).orElse(null);
    if (pod == null || exists(ref.node())) {
      return;
    }
    String phase = Json.text(pod.json(), "status", "phase");
    if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
      cluster.editStatus(cluster.pods(), pod, view -> fail(Json.child(view, "status")));
    }
    cluster.deleteNow(cluster.pods(), pod);
  }

  private void fail(ObjectNode status) {
    status.put("phase", "Failed");
    Conditions.set(
        status,
        Json.object()
            .put("type", "DisruptionTarget")
            .put("status", "True")
            .putNull("lastProbeTime")
            .put("lastTransitionTime", cluster.timestamp())
            .put("reason", "DeletionByPodGC")
            .put("message", "PodGC: node no longer exists"));
  }
}
