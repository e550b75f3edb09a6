package dev.vertlet.tck;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Records a provider's reports. Thread-safe: a provider may report from any thread. */
final class TckContext implements ProviderContext {
  private static final NodeStatusView UNMEASURED =
      new NodeStatusView(Map.of(), Map.of(), List.of(), List.of(), Map.of(), 0);

  private final Vertx vertx;
  private final List<PodReport> reports = new CopyOnWriteArrayList<>();
  private final Map<String, JsonObject> pods = new ConcurrentHashMap<>();
  private final RandomGenerator random = new SplittableRandom(1);

  TckContext(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Adds a pod to the answers of {@link #fullPod}. */
  void holds(TckPod pod) {
    pods.put(pod.ref().uid(), pod.json());
  }

  /** All reports so far, in order. */
  List<PodReport> reports() {
    return reports;
  }

  List<PodReport> reports(PodRef pod) {
    return reports.stream().filter(report -> report.pod().equals(pod)).toList();
  }

  @Nullable PodReport last(PodRef pod) {
    List<PodReport> own = reports(pod);
    return own.isEmpty() ? null : own.get(own.size() - 1);
  }

  @Override
  public Vertx vertx() {
    return vertx;
  }

  @Override
  public Clock clock() {
    return Clock.systemUTC();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void report(PodReport report) {
    reports.add(report);
  }

  @Override
  public void event(ObjectEvent event) {
    // best effort by contract; the kit depends on no event
  }

  @Override
  public Future<Buffer> fullPod(PodRef pod) {
    JsonObject json = pods.get(pod.uid());
    return json == null
        ? Future.failedFuture(new IllegalStateException("no pod " + pod.display()))
        : Future.succeededFuture(json.toBuffer());
  }

  /** Returns a node without capacity, which therefore limits no pod. */
  @Override
  public Future<NodeView> node(String name) {
    return Future.succeededFuture(
        new NodeView(name, "uid-" + name, 1, Map.of(), Map.of(), List.of(), false, UNMEASURED));
  }
}
