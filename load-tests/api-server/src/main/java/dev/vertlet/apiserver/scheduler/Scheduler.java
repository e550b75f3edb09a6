package dev.vertlet.apiserver.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.EventRecorder;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.registry.PodSubresources;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows nodes and pods, binds what fits, says why the rest does not. */
public final class Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
  private static final String NAME = "default-scheduler";

  /** Pods per turn: some milliseconds of work, then requests are served. */
  private static final int SLICE = 50;

  /** Gathers changes of nodes and pods before parked pods are tried again. */
  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  /** With {@link WorkQueue}'s slice this writes a thousand refusals a second at most. */
  private static final Duration REPORT_PAUSE = Duration.ofMillis(50);

  /** Where a pod is counted. */
  private record Assigned(String node, Demand demand) {}

  private final Cluster cluster;
  private final PodSubresources subresources;
  private final EventRecorder recorder;
  private final NodeTable nodes = new NodeTable();
  private final SchedulingQueue queue = new SchedulingQueue();
  private final Map<String, Assigned> assigned = new HashMap<>();
  private final WorkQueue<PendingPod> reports;
  private boolean working;
  private boolean retrying;

  public Scheduler(Cluster cluster, PodSubresources subresources) {
    this.cluster = cluster;
    this.subresources = subresources;
    this.recorder = new EventRecorder(cluster, NAME);
    this.reports = new WorkQueue<>(cluster, REPORT_PAUSE, this::report);
  }

  public void start() {
    cluster.follow(cluster.nodes(), this::nodeSeen, this::nodeChanged);
    cluster.follow(cluster.pods(), this::podSeen, this::podChanged);
  }

  private void nodeChanged(StoreEvent event) {
    event.after().ifPresentOrElse(this::nodeSeen, () -> nodes.remove(event.gone().name()));
    if (event.after().isEmpty()) {
      retrySoon();
    }
  }

  private void nodeSeen(StoredObject node) {
    if (nodes.update(node.name(), node.json())) {
      retrySoon();
    }
  }

  private void podChanged(StoreEvent event) {
    event
        .after()
        .ifPresentOrElse(
            this::podSeen,
            () -> {
              String uid = event.gone().uid();
              queue.remove(uid);
              release(uid);
            });
  }

  private void podSeen(StoredObject pod) {
    String node = Json.text(pod.json(), "spec", "nodeName");
    if (node.isEmpty()) {
      waiting(pod);
    } else if (isFinished(pod.json())) {
      queue.remove(pod.uid());
      release(pod.uid());
    } else if (!assigned.containsKey(pod.uid())) {
      queue.remove(pod.uid());
      Demand demand = Demand.of(pod.json());
      nodes.take(node, demand);
      assigned.put(pod.uid(), new Assigned(node, demand));
    }
  }

  private static boolean isFinished(JsonNode pod) {
    String phase = Json.text(pod, "status", "phase");
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  private void waiting(StoredObject pod) {
    JsonNode spec = pod.json().path("spec");
    String scheduler = Json.text(spec, "schedulerName");
    boolean mine = scheduler.isEmpty() || scheduler.equals(NAME);
    boolean terminating = pod.json().path("metadata").has("deletionTimestamp");
    if (!mine || terminating || isFinished(pod.json()) || !spec.path("schedulingGates").isEmpty()) {
      queue.remove(pod.uid());
    } else {
      queue.add(PendingPod.of(pod));
      workSoon();
    }
  }

  private void release(String uid) {
    Assigned left = assigned.remove(uid);
    if (left != null) {
      nodes.release(left.node(), left.demand());
      retrySoon();
    }
  }

  private void workSoon() {
    if (!working && queue.hasActive()) {
      working = true;
      cluster.soon(this::work);
    }
  }

  private void work() {
    working = false;
    for (int i = 0; i < SLICE; i++) {
      queue.poll().ifPresent(this::schedule);
    }
    workSoon();
  }

  private void schedule(PendingPod pod) {
    Optional<String> hopeless = queue.hopeless(pod.requirements());
    if (hopeless.isPresent()) {
      park(pod, hopeless.get());
      return;
    }
    NodeTable.Placement placement = nodes.place(pod.requirements());
    if (placement.found()) {
      bind(pod, placement.node());
    } else {
      park(pod, placement.message());
    }
  }

  private void park(PendingPod pod, String why) {
    queue.park(pod, why);
    reports.add(pod);
  }

  private void bind(PendingPod pod, String node) {
    ObjectNode binding = Json.object();
    binding.putObject("metadata").put("name", pod.name()).put("uid", pod.uid());
    binding.putObject("target").put("kind", "Node").put("name", node);
    try {
      subresources.bind(pod.namespace(), pod.name(), binding, false);
    } catch (ApiException refused) { // the pod has gone or changed: its next event decides
      LOG.debug("a pod could not be bound", refused);
      return;
    }
    cluster
        .find(cluster.pods(), pod.namespace(), pod.name(), pod.uid())
        .ifPresent(
            bound ->
                recorder.record(
                    cluster.pods(),
                    bound,
                    "Normal",
                    "Scheduled",
                    "Binding",
                    "Successfully assigned %s/%s to %s"
                        .formatted(pod.namespace(), pod.name(), node)));
  }

  private void retrySoon() {
    if (!retrying) {
      retrying = true;
      cluster.later(RETRY_DELAY, this::retry);
    }
  }

  /** Tries one pod of each group: the others would fare alike. */
  private void retry() {
    retrying = false;
    for (PendingPod sample : queue.samples()) {
      NodeTable.Placement placement = nodes.place(sample.requirements());
      if (placement.found()) {
        queue.wake(sample.requirements());
      } else {
        queue.explain(sample.requirements(), placement.message()).forEach(reports::add);
      }
    }
    workSoon();
  }

  /** Tells a parked pod why it waits, unless it knows or waits no more. */
  private void report(PendingPod pending) {
    Optional<String> why = queue.reason(pending);
    Optional<StoredObject> found =
        cluster.find(cluster.pods(), pending.namespace(), pending.name(), pending.uid());
    if (why.isEmpty() || found.isEmpty()) {
      return;
    }
    StoredObject pod = found.get();
    ObjectNode known = Conditions.find(pod.json(), "PodScheduled");
    if (Json.text(known, "reason").equals("Unschedulable")
        && Json.text(known, "message").equals(why.get())) {
      return;
    }
    recorder.record(cluster.pods(), pod, "Warning", "FailedScheduling", "Scheduling", why.get());
    ObjectNode condition =
        Json.object()
            .put("type", "PodScheduled")
            .put("status", "False")
            .putNull("lastProbeTime")
            .put("lastTransitionTime", cluster.timestamp())
            .put("reason", "Unschedulable")
            .put("message", why.get());
    Json.copyField(Json.view(pod.json(), "metadata"), condition, "generation");
    if (condition.has("generation")) {
      condition.set("observedGeneration", condition.remove("generation"));
    }
    cluster.editStatus(
        cluster.pods(), pod, view -> Conditions.set(Json.child(view, "status"), condition));
  }
}
