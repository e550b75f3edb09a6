package dev.vertlet.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.Deadlines;
import dev.vertlet.apiserver.control.EventRecorder;
import dev.vertlet.apiserver.control.Taint;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.node.PodsByNode.Ref;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Deletes pods from nodes with {@code NoExecute} taints once they no longer tolerate them. */
public final class TaintEviction {
  private final Cluster cluster;
  private final PodsByNode pods;
  private final EventRecorder recorder;
  private final Map<String, List<Taint>> taints = new HashMap<>();
  private final WorkQueue<Ref> queue;
  private final Deadlines<Ref> ends;

  public TaintEviction(Cluster cluster, PodsByNode pods) {
    this.cluster = cluster;
    this.pods = pods;
    this.recorder = new EventRecorder(cluster, "taint-eviction-controller");
    this.queue = new WorkQueue<>(cluster, this::judge);
    this.ends = new Deadlines<>(cluster.clock(), cluster, this::evict);
  }

  public void start() {
    cluster.follow(cluster.nodes(), this::nodeSeen, this::nodeChanged);
    cluster.follow(cluster.pods(), this::podSeen, this::podChanged);
  }

  private void nodeChanged(StoreEvent event) {
    event.after().ifPresentOrElse(this::nodeSeen, () -> setTaints(event.gone().name(), List.of()));
  }

  private void nodeSeen(StoredObject node) {
    setTaints(
        node.name(),
        Taint.allOf(node.json()).stream()
            .filter(taint -> taint.effect().equals(Taint.NO_EXECUTE))
            .toList());
  }

  private void setTaints(String node, List<Taint> now) {
    List<Taint> before = now.isEmpty() ? taints.remove(node) : taints.put(node, now);
    if (!now.equals(before == null ? List.of() : before)) {
      pods.of(node).forEach(queue::add);
    }
  }

  private void podChanged(StoreEvent event) {
    event.after().ifPresentOrElse(this::podSeen, () -> ends.remove(PodsByNode.ref(event.gone())));
  }

  private void podSeen(StoredObject pod) {
    Ref ref = PodsByNode.ref(pod);
    if (taints.containsKey(ref.node())) {
      queue.add(ref);
    }
  }

  private void judge(Ref ref) {
    StoredObject pod = pods.find(ref).orElse(null);
    if (pod == null || pod.json().path("metadata").has("deletionTimestamp")) {
      ends.remove(ref);
      return;
    }
    JsonNode tolerations = Json.at(pod.json(), "spec", "tolerations");
    List<Taint> borne = taints.getOrDefault(ref.node(), List.of());
    Optional<Duration> left = Tolerance.of(tolerations, borne);
    if (left.isEmpty()) {
      ends.remove(ref);
    } else if (left.get().isZero()) {
      ends.remove(ref);
      evict(ref);
    } else {
      // the time runs from the first taint on, as in the real controller
      ends.putIfAbsent(ref, cluster.clock().instant().plus(left.get()));
    }
  }

  private void evict(Ref ref) {
    StoredObject pod = pods.find(ref).orElse(null);
    if (pod == null || pod.json().path("metadata").has("deletionTimestamp")) {
      return;
    }
    recorder.record(
        cluster.pods(),
        pod,
        "Normal",
        "TaintManagerEviction",
        "Marking for deletion Pod %s/%s".formatted(ref.namespace(), ref.name()));
    cluster.editStatus(
        cluster.pods(),
        pod,
        view ->
            Conditions.set(
                Json.child(view, "status"),
                Json.object()
                    .put("type", "DisruptionTarget")
                    .put("status", "True")
                    .putNull("lastProbeTime")
                    .put("lastTransitionTime", cluster.timestamp())
                    .put("reason", "DeletionByTaintManager")
                    .put("message", "Taint manager: deleting due to NoExecute taint")));
    cluster.delete(cluster.pods(), pod, DeleteOptions.DEFAULT);
  }
}
