package dev.vertlet.harness.replay.report;

import static dev.vertlet.harness.replay.report.PodTimes.NEVER;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.replay.report.PodTimes.Moments;
import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.RunJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Figures and curves of one run as JSON; all durations are in the recording's time. */
public final class RunFigures {
  /** Pods that never ran, by name: enough to see what they have in common. */
  private static final int NAMED = 20;

  private static final double MILLIS = 1_000;

  private RunFigures() {}

  /**
   * Figures of a run.
   *
   * @param name for display, unique in a report
   */
  public static JsonObject of(String name, RunTimes run) {
    List<PodTimes> pods = run.pods();
    List<PodTimes> idle = pods.stream().filter(pod -> !pod.ran()).toList();
    JsonObject curves = new Curves(run).json();
    return new JsonObject()
        .put("name", name)
        .put("seconds", run.millis() / MILLIS)
        .put(
            "pods",
            new JsonObject()
                .put("created", pods.size())
                .put("never_ran", idle.size())
                .put("most_running", most(curves.getJsonArray("running"))))
        .put(
            "never_ran",
            new JsonArray(
                idle.stream().limit(NAMED).map(pod -> pod.workload() + ": " + pod.name()).toList()))
        .put("nodes", nodes(run))
        .put("pending", distribution(pods, at -> between(at.created(), at.started())))
        .put("scheduling", distribution(pods, at -> between(at.created(), at.scheduled())))
        .put("start", distribution(pods, at -> between(at.scheduled(), at.started())))
        .put("ready", distribution(pods, at -> between(at.created(), at.ready())))
        .put("run", distribution(pods, at -> between(at.started(), at.ended())))
        .put("groups", groups(run))
        .put("over_time", curves);
  }

  private static JsonObject nodes(RunTimes run) {
    return new JsonObject()
        .put("count", run.nodes().size())
        .put("came", run.nodes().stream().filter(node -> node.came() > 0).count())
        .put("left", run.nodes().stream().filter(node -> node.left() != NEVER).count());
  }

  private static double most(JsonArray curve) {
    return curve.stream().mapToDouble(value -> ((Number) value).doubleValue()).max().orElse(0);
  }

  private static long between(long from, long to) {
    return from == NEVER || to == NEVER ? NEVER : Math.max(0, to - from);
  }

  private static JsonObject distribution(List<PodTimes> pods, ToLongFunction<Moments> millis) {
    LatencyHistogram histogram = new LatencyHistogram();
    for (PodTimes pod : pods) {
      long duration = millis.applyAsLong(pod.at());
      if (duration != NEVER && !pod.initial()) {
        histogram.record(TimeUnit.MILLISECONDS.toNanos(duration));
      }
    }
    return json(histogram.latencies());
  }

  /** A distribution as in the results of load tests. */
  public static JsonObject json(Latencies latencies) {
    return RunJson.latencies(latencies);
  }

  /** Number of pods bound to the nodes of each group; pods on unknown nodes are left out. */
  private static JsonObject groups(RunTimes run) {
    Map<String, String> groupOf =
        run.nodes().stream()
            .collect(
                Collectors.toMap(NodeTimes::name, NodeTimes::group, (earlier, later) -> later));
    Map<String, Integer> pods = new TreeMap<>();
    groupOf.values().forEach(group -> pods.put(group, 0));
    for (PodTimes pod : run.pods()) {
      String group = groupOf.get(pod.node());
      if (group != null) {
        pods.merge(group, 1, Integer::sum);
      }
    }
    JsonObject json = new JsonObject();
    pods.forEach(json::put);
    return json;
  }
}
