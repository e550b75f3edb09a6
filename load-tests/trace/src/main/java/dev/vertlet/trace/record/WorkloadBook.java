package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadChanged;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import dev.vertlet.trace.WorkloadRef;
import dev.vertlet.trace.record.sanitize.Sanitizer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workloads and bare pods that the trace knows: a hash and the number of replicas of each. */
final class WorkloadBook {
  private final Timeline time;
  private final Sanitizer sanitizer;
  private final TemplateNumbers templates;
  private final Map<WorkloadRef, State> states = new HashMap<>();
  private final Map<String, WorkloadRef> refs = new HashMap<>();
  private final Set<WorkloadRef> unseen = new HashSet<>();
  private int barePods;

  /** What is compared with the next version of an object. */
  private record State(String hash, @Nullable Integer replicas) {
    static State of(JsonObject object) {
      return new State(
          Timeline.digest(Sanitizer.withoutReplicas(object)), Sanitizer.replicas(object));
    }
  }

  WorkloadBook(Timeline time, Sanitizer sanitizer, TemplateNumbers templates) {
    this.time = time;
    this.sanitizer = sanitizer;
    this.templates = templates;
  }

  /** Number of workloads, without bare pods. */
  int size() {
    return states.size() - barePods;
  }

  void restore(WorkloadRef ref, JsonObject object) {
    if (states.put(ref, State.of(object)) == null && ref.isBarePod()) {
      barePods++;
    }
    unseen.add(ref);
  }

  void restoreScaled(WorkloadRef ref, int replicas) {
    states.computeIfPresent(ref, (same, state) -> new State(state.hash(), replicas));
  }

  void restoreGone(WorkloadRef ref) {
    remove(ref);
    unseen.remove(ref);
  }

  /**
   * Records an object.
   *
   * @param ref as in the cluster
   */
  void seen(String uid, WorkloadRef ref, JsonNode object) {
    WorkloadRef shown = sanitizer.ref(ref);
    JsonObject copy = sanitizer.workload(ref, object);
    State next = State.of(copy);
    refs.put(uid, shown);
    unseen.remove(shown);
    State before = states.put(shown, next);
    if (before == null) {
      barePods += shown.isBarePod() ? 1 : 0;
      templates.ownerJoined(shown);
      time.emit(new WorkloadAdded(time.now(), shown, copy));
    } else if (!before.hash().equals(next.hash())) {
      time.emit(new WorkloadChanged(time.now(), shown, copy));
    } else if (next.replicas() != null && !next.replicas().equals(before.replicas())) {
      time.emit(new WorkloadScaled(time.now(), shown, next.replicas()));
    }
  }

  void gone(String uid) {
    WorkloadRef ref = refs.remove(uid);
    if (ref != null) {
      deleted(ref);
    }
  }

  /** Ends restored workloads that the cluster has no more. */
  void synced() {
    List.copyOf(unseen).forEach(this::deleted);
    unseen.clear();
  }

  private void deleted(WorkloadRef ref) {
    if (remove(ref)) {
      templates.ownerLeft(ref);
      time.emit(new WorkloadDeleted(time.now(), ref));
    }
  }

  private boolean remove(WorkloadRef ref) {
    boolean known = states.remove(ref) != null;
    barePods -= known && ref.isBarePod() ? 1 : 0;
    return known;
  }
}
