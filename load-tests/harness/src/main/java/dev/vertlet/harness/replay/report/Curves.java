package dev.vertlet.harness.replay.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A run's pods, nodes and used capacity over time, at {@value #POINTS} evenly spaced times or once
 * a second, whichever is less.
 */
final class Curves {
  /** A chart is some hundred pixels wide. */
  static final int POINTS = 240;

  private static final long SECOND = 1_000;
  private static final double PERCENT = 100;

  private final RunTimes run;
  private final double step;
  private final int count;

  Curves(RunTimes run) {
    this.run = run;
    this.step = Math.max(SECOND, (double) run.millis() / POINTS);
    this.count = (int) Math.floor(run.millis() / step) + 1;
  }

  JsonObject json() {
    List<PodTimes> pods = run.pods();
    double[] running =
        levels(pods, pod -> pod.ran() ? pod.at().started() : PodTimes.NEVER, PodTimes::end, one());
    double[] pending = levels(pods, pod -> pod.at().created(), Curves::pendingEnd, one());
    double[] nodes = levels(run.nodes(), NodeTimes::came, NodeTimes::left, one());
    return new JsonObject()
        .put("step_s", step / SECOND)
        .put("running", array(running))
        .put("pending", array(pending))
        .put("nodes", array(nodes))
        .put("cpu_percent", array(used(Demand::cpu)))
        .put("memory_percent", array(used(Demand::memory)));
  }

  private static <T> ToDoubleFunction<T> one() {
    return element -> 1;
  }

  private static long pendingEnd(PodTimes pod) {
    return pod.ran() ? pod.at().started() : pod.end();
  }

  /** Requests of bound pods in percent of what the nodes that are there offer; 0 without nodes. */
  private double[] used(ToDoubleFunction<Demand> resource) {
    Set<String> known = new HashSet<>(run.nodes().stream().map(NodeTimes::name).toList());
    double[] wanted =
        levels(
            run.pods().stream().filter(pod -> known.contains(pod.node())).toList(),
            pod -> pod.at().scheduled(),
            PodTimes::end,
            pod -> resource.applyAsDouble(pod.demand()));
    double[] offered =
        levels(
            run.nodes(),
            NodeTimes::came,
            NodeTimes::left,
            node -> resource.applyAsDouble(node.allocatable()));
    double[] share = new double[count];
    for (int i = 0; i < count; i++) {
      share[i] = offered[i] <= 0 ? 0 : PERCENT * wanted[i] / offered[i];
    }
    return share;
  }

  /** Sums the weights of what is there at each time, in one pass over the elements. */
  private <T> double[] levels(
      List<T> elements,
      ToLongFunction<T> from,
      ToLongFunction<T> until,
      ToDoubleFunction<T> weight) {
    double[] changes = new double[count + 1];
    for (T element : elements) {
      long begin = from.applyAsLong(element);
      long end = until.applyAsLong(element);
      if (begin != PodTimes.NEVER && (end == PodTimes.NEVER || end > begin)) {
        double amount = weight.applyAsDouble(element);
        changes[position(begin)] += amount;
        changes[end == PodTimes.NEVER ? count : position(end)] -= amount;
      }
    }
    double[] levels = new double[count];
    double level = 0;
    for (int i = 0; i < count; i++) {
      level += changes[i];
      levels[i] = level;
    }
    return levels;
  }

  /** First point at or after a time. */
  private int position(long time) {
    return (int) Math.max(0, Math.min(count, Math.ceil(time / step)));
  }

  private static JsonArray array(double[] values) {
    JsonArray array = new JsonArray();
    for (double value : values) {
      // sums of shares of a core are not exact
      array.add(Math.round(value * SECOND) / (double) SECOND);
    }
    return array;
  }
}
