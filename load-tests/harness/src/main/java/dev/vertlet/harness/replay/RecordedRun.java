package dev.vertlet.harness.replay;

import static dev.vertlet.harness.replay.report.PodTimes.NEVER;

import dev.vertlet.harness.replay.plan.Recording;
import dev.vertlet.harness.replay.report.Demand;
import dev.vertlet.harness.replay.report.NodeGroups;
import dev.vertlet.harness.replay.report.NodeTimes;
import dev.vertlet.harness.replay.report.PodTimes;
import dev.vertlet.harness.replay.report.RunTimes;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What happened while a trace was recorded, in the form in which it is compared. */
final class RecordedRun {
  private static final double MILLI = 1_000;

  private RecordedRun() {}

  static RunTimes of(Recording recording) {
    List<PodTimes> pods = new ArrayList<>();
    for (PodLife life : recording.lives()) {
      if (!before(life.times().ended()) && !before(life.times().gone())) {
        pods.add(pod(life));
      }
    }
    return new RunTimes(pods, nodes(recording), recording.millis());
  }

  private static boolean before(@Nullable Long end) {
    return end != null && end <= 0;
  }

  private static PodTimes pod(PodLife life) {
    var at = life.times();
    long ended = earliest(at.ended(), at.gone());
    // a pod that ends at once may never have been seen running
    boolean ran = at.started() != null || "Succeeded".equals(life.outcome().phase());
    long started = at.started() != null ? moment(at.started()) : ran ? ended : NEVER;
    return new PodTimes(
        life.identity().namespace() + "/" + life.identity().name(),
        life.identity().owner().toString(),
        life.node() == null ? "" : life.node(),
        new Demand(life.demand().cpuMillis() / MILLI, life.demand().memoryBytes()),
        at.created() < 0,
        new PodTimes.Moments(
            moment(at.created()), moment(at.scheduled()), started, moment(at.ready()), ended));
  }

  /** Moments before the recording are its beginning. */
  private static long moment(@Nullable Long offset) {
    return offset == null ? NEVER : Math.max(0, offset);
  }

  private static long earliest(@Nullable Long one, @Nullable Long other) {
    if (one == null || other == null) {
      return moment(one == null ? other : one);
    }
    return moment(Math.min(one, other));
  }

  private static List<NodeTimes> nodes(Recording recording) {
    Map<String, NodeTimes> there = new LinkedHashMap<>();
    List<NodeTimes> all = new ArrayList<>();
    for (TraceEvent event : recording.events()) {
      if (event instanceof TraceEvent.NodeAdded added) {
        there.put(added.node().name(), node(added.node(), added.at(), NEVER));
      } else if (event instanceof TraceEvent.NodeLeft left) {
        NodeTimes node = there.remove(left.name());
        if (node != null) {
          all.add(
              new NodeTimes(node.name(), node.group(), node.allocatable(), node.came(), left.at()));
        }
      }
    }
    all.addAll(there.values());
    return all;
  }

  private static NodeTimes node(RecordedNode node, long came, long left) {
    Demand allocatable =
        new Demand(
            Quantities.milli(node.allocatable().getOrDefault("cpu", "0")) / MILLI,
            Quantities.units(node.allocatable().getOrDefault("memory", "0")));
    return new NodeTimes(
        node.name(), NodeGroups.of(node.labels(), allocatable), allocatable, came, left);
  }
}
