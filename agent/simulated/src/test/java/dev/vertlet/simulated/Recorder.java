package dev.vertlet.simulated;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;

/** Writes down what a kubelet core tells the cluster. */
final class Recorder implements ProviderContext {
  private final Vertx vertx;

  /** The newest of each pod. */
  final Map<PodRef, PodReport> reports = new ConcurrentHashMap<>();

  final Queue<ObjectEvent> events = new ConcurrentLinkedQueue<>();

  Recorder(Vertx vertx) {
    this.vertx = vertx;
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
    return new Random(1);
  }

  @Override
  public void report(PodReport report) {
    reports.put(report.pod(), report);
  }

  @Override
  public void event(ObjectEvent event) {
    events.add(event);
  }

  @Override
  public Future<Buffer> fullPod(PodRef pod) {
    return Future.failedFuture("not here");
  }

  @Override
  public Future<NodeView> node(String name) {
    NodeStatusView unmeasured =
        new NodeStatusView(Map.of(), Map.of(), List.of(), List.of(), Map.of(), 0);
    return Future.succeededFuture(
        new NodeView(name, "uid-" + name, 1, Map.of(), Map.of(), List.of(), false, unmeasured));
  }
}
