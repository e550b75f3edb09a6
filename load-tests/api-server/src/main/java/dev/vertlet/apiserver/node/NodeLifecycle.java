package dev.vertlet.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.Deadlines;
import dev.vertlet.apiserver.control.EventRecorder;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.node.PodsByNode.Ref;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges nodes by their signs of life — a later {@code renewTime} of the Lease or a new heartbeat
 * of the condition Ready — and keeps taints in line with conditions.
 */
public final class NodeLifecycle {
  private static final String LEASES = "kube-node-lease";
  private static final String READY = "Ready";

  /** Conditions a kubelet reports, Unknown when it is no longer heard of. */
  private static final List<String> REPORTED =
      List.of(READY, "MemoryPressure", "DiskPressure", "PIDPressure");

  private final Cluster cluster;
  private final PodsByNode pods;
  private final Duration grace;
  private final EventRecorder recorder;
  private final Deadlines<String> silence;

  /** By node, the {@code renewTime} that last counted; an earlier one is no sign of life. */
  private final Map<String, Instant> renewTimes = new HashMap<>();

  private final WorkQueue<String> taints;
  private final WorkQueue<Ref> notReady;

  /**
   * @param grace without a sign of life after which a node is Unknown
   */
  public NodeLifecycle(Cluster cluster, PodsByNode pods, Duration grace) {
    this.cluster = cluster;
    this.pods = pods;
    this.grace = grace;
    this.recorder = new EventRecorder(cluster, "node-controller");
    this.taints = new WorkQueue<>(cluster, this::taint);
    this.notReady = new WorkQueue<>(cluster, this::markNotReady);
    this.silence =
        new Deadlines<>(
            cluster.clock(),
            cluster,
            name -> cluster.find(cluster.nodes(), "", name).ifPresent(this::markUnknown));
  }

  public void start() {
    cluster.follow(
        cluster.nodes(),
        node -> {
          heard(node.name());
          taints.add(node.name());
        },
        this::nodeChanged);
    cluster.follow(cluster.resource("leases"), lease -> {}, this::leaseChanged);
  }

  private void heard(String node) {
    silence.put(node, cluster.clock().instant().plus(grace));
  }

  private void leaseChanged(StoreEvent event) {
    StoredObject lease = event.after().orElse(null);
    if (lease == null || !lease.namespace().equals(LEASES)) {
      return;
    }
    String renewed = Json.text(lease.json(), "spec", "renewTime");
    if (cluster.find(cluster.nodes(), "", lease.name()).isPresent() && !renewed.isEmpty()) {
      Instant time = Instant.parse(renewed);
      Instant before = renewTimes.get(lease.name());
      if (before == null || before.isBefore(time)) {
        renewTimes.put(lease.name(), time);
        heard(lease.name());
      }
    }
  }

  private void nodeChanged(StoreEvent event) {
    StoredObject node = event.after().orElse(null);
    if (node == null) {
      silence.remove(event.gone().name());
      renewTimes.remove(event.gone().name());
      return;
    }
    if (event.before().isEmpty() || isSignOfLife(event.before().get().json(), node.json())) {
      heard(node.name());
    }
    if (event.before().isPresent() && lostReady(event.before().get().json(), node.json())) {
      pods.of(node.name()).forEach(notReady::add);
    }
    if (NodeTaints.needsChange(node.json())) {
      taints.add(node.name());
    }
  }

  /**
   * This controller's own writes change neither the heartbeat nor make a node anything but Unknown.
   */
  private static boolean isSignOfLife(JsonNode before, JsonNode after) {
    ObjectNode old = Conditions.find(before, READY);
    ObjectNode now = Conditions.find(after, READY);
    return !old.path("lastHeartbeatTime").equals(now.path("lastHeartbeatTime"))
        || (!old.path("status").equals(now.path("status"))
            && !now.path("status").asText().equals("Unknown"));
  }

  private static boolean lostReady(JsonNode before, JsonNode after) {
    return Conditions.value(before, READY).equals("True")
        && !Conditions.value(after, READY).equals("True");
  }

  private void markUnknown(StoredObject node) {
    boolean known = Conditions.value(node.json(), READY).equals("Unknown");
    if (known) {
      return;
    }
    cluster.editStatus(
        cluster.nodes(),
        node,
        view -> {
          for (String type : REPORTED) {
            setUnknown(view, type);
          }
        });
    recorder.record(
        cluster.nodes(),
        node,
        "Normal",
        "NodeNotReady",
        "Node %s status is now: NodeNotReady".formatted(node.name()));
  }

  private void setUnknown(JsonNode node, String type) {
    ObjectNode old = Conditions.find(node, type);
    if (old.path("status").asText().equals("Unknown")) {
      return;
    }
    ObjectNode condition = Json.object().put("type", type).put("status", "Unknown");
    JsonNode heartbeat =
        old.isEmpty()
            ? Json.at(node, "metadata", "creationTimestamp")
            : old.path("lastHeartbeatTime");
    condition.set("lastHeartbeatTime", heartbeat);
    condition
        .put("lastTransitionTime", cluster.timestamp())
        .put("reason", old.isEmpty() ? "NodeStatusNeverUpdated" : "NodeStatusUnknown")
        .put(
            "message",
            old.isEmpty()
                ? "Kubelet never posted node status."
                : "Kubelet stopped posting node status.");
    Conditions.set(Json.child((ObjectNode) node, "status"), condition);
  }

  private void taint(String name) {
    StoredObject node = cluster.find(cluster.nodes(), "", name).orElse(null);
    if (node != null && NodeTaints.needsChange(node.json())) {
      cluster.edit(
          cluster.nodes(),
          node,
          view ->
              Json.child(view, "spec")
                  .set("taints", NodeTaints.reconciled(node.json(), cluster.timestamp())));
    }
  }

  /** Services stop to send traffic to pods whose kubelet cannot tell how they are. */
  private void markNotReady(Ref ref) {
    StoredObject pod = pods.find(ref).orElse(null);
    if (pod == null || !Conditions.value(pod.json(), READY).equals("True")) {
      return;
    }
    cluster.editStatus(
        cluster.pods(),
        pod,
        view -> {
          ObjectNode condition = Conditions.find(view, READY).deepCopy();
          condition.put("status", "False").put("lastTransitionTime", cluster.timestamp());
          Conditions.set(Json.child(view, "status"), condition);
        });
  }
}
