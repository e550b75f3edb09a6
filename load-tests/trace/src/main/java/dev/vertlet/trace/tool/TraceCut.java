package dev.vertlet.trace.tool;

import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeChanged;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.RecordingEnded;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadChanged;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts a time out of a trace: what existed when it begins has offset 0, and what happened later
 * than its end has not happened.
 */
final class TraceCut {
  private final long from;
  private final long to;
  private final Map<String, RecordedNode> nodes = new LinkedHashMap<>();
  private final Map<WorkloadRef, JsonObject> workloads = new LinkedHashMap<>();
  private final Map<String, PodLife> lives = new LinkedHashMap<>();
  private final List<TraceEvent> between = new ArrayList<>();
  private boolean begun;

  /**
   * @param from offset in milliseconds, 0 or more
   * @param to offset in milliseconds, more than {@code from}
   */
  TraceCut(long from, long to) {
    this.from = from;
    this.to = to;
  }

  void add(TraceEvent event) {
    if (event instanceof PodLived lived) {
      // also those after the cut: they know times before it
      lives.put(lived.life().identity().id(), lived.life());
    } else if (event.at() > to) {
      // nothing else looks back
    } else if (event.at() <= from) {
      before(event);
    } else {
      begin();
      between.add(shifted(event, event.at() - from));
    }
  }

  private void before(TraceEvent event) {
    if (event instanceof NodeAdded added) {
      nodes.put(added.node().name(), added.node());
    } else if (event instanceof NodeChanged changed) {
      nodes.put(changed.node().name(), changed.node());
    } else if (event instanceof NodeLeft left) {
      nodes.remove(left.name());
    } else if (event instanceof WorkloadAdded added) {
      workloads.put(added.workload(), added.object());
    } else if (event instanceof WorkloadChanged changed) {
      workloads.put(changed.workload(), changed.object());
    } else if (event instanceof WorkloadScaled scaled) {
      workloads.computeIfPresent(
          scaled.workload(), (ref, object) -> Replicas.with(object, scaled.replicas()));
    } else if (event instanceof WorkloadDeleted deleted) {
      workloads.remove(deleted.workload());
    }
  }

  private void begin() {
    if (!begun) {
      begun = true;
      nodes.values().forEach(node -> between.add(new NodeAdded(0, node)));
      workloads.forEach((ref, object) -> between.add(new WorkloadAdded(0, ref, object)));
    }
  }

  private TraceEvent shifted(TraceEvent event, long at) {
    if (event instanceof NodeAdded added) {
      return new NodeAdded(at, added.node());
    } else if (event instanceof NodeChanged changed) {
      return new NodeChanged(at, changed.node());
    } else if (event instanceof NodeLeft left) {
      return new NodeLeft(at, left.name());
    } else if (event instanceof WorkloadAdded added) {
      return new WorkloadAdded(at, added.workload(), added.object());
    } else if (event instanceof WorkloadChanged changed) {
      return new WorkloadChanged(at, changed.workload(), changed.object());
    } else if (event instanceof WorkloadScaled scaled) {
      return new WorkloadScaled(at, scaled.workload(), scaled.replicas());
    } else if (event instanceof WorkloadDeleted deleted) {
      return new WorkloadDeleted(at, deleted.workload());
    } else if (event instanceof Gap gap) {
      return new Gap(
          at,
          Math.max(0, gap.from() - from),
          Math.max(0, gap.to() - from),
          gap.cause(),
          gap.resource());
    }
    return new RecordingEnded(at);
  }

  /** Returns the events of the cut in order, each pod's life once. */
  List<TraceEvent> events() {
    begin();
    List<TraceEvent> all = new ArrayList<>(between);
    for (PodLife life : lives.values()) {
      PodTimes times = life.times();
      if (times.created() <= to && (times.gone() == null || times.gone() > from)) {
        PodLife part = LifeEdit.between(life, from, to);
        all.add(new PodLived(LifeEdit.last(part), part));
      }
    }
    all.sort(Comparator.comparingLong(TraceEvent::at));
    if (all.isEmpty() || !(all.get(all.size() - 1) instanceof RecordingEnded)) {
      long last = all.isEmpty() ? 0 : all.get(all.size() - 1).at();
      all.add(new RecordingEnded(Math.max(last, Math.min(to, Long.MAX_VALUE / 2) - from)));
    }
    return all;
  }
}
