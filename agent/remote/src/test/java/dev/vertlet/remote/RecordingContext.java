package dev.vertlet.remote;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
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

/** Records what a provider says. Thread-safe. */
final class RecordingContext implements ProviderContext {
  private final Vertx vertx;
  private final Map<String, JsonObject> pods;
  private final Map<String, List<PodReport>> reports = new ConcurrentHashMap<>();
  private final List<ObjectEvent> events = new CopyOnWriteArrayList<>();
  private final List<PodReport> unclaimed = new CopyOnWriteArrayList<>();
  private volatile boolean fails;

  /**
   * @param pods as the API server holds them, by UID
   */
  RecordingContext(Vertx vertx, Map<String, JsonObject> pods) {
    this.vertx = vertx;
    this.pods = pods;
  }

  List<PodReport> reports(String uid) {
    return reports.getOrDefault(uid, List.of());
  }

  int reportCount() {
    return reports.values().stream().mapToInt(List::size).sum();
  }

  @Nullable PodReport last(String uid) {
    List<PodReport> own = reports(uid);
    return own.isEmpty() ? null : own.get(own.size() - 1);
  }

  List<ObjectEvent> events() {
    return events;
  }

  List<PodReport> unclaimed() {
    return unclaimed;
  }

  /** Fails with the next unclaimed pod. */
  void failOnce() {
    fails = true;
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
    return new SplittableRandom(1);
  }

  @Override
  public void report(PodReport report) {
    reports.computeIfAbsent(report.pod().uid(), uid -> new CopyOnWriteArrayList<>()).add(report);
  }

  @Override
  public void unclaimed(PodReport pod) {
    if (fails) {
      fails = false;
      throw new IllegalStateException("no report is taken");
    }
    unclaimed.add(pod);
  }

  @Override
  public void event(ObjectEvent event) {
    events.add(event);
  }

  @Override
  public Future<Buffer> fullPod(PodRef pod) {
    JsonObject json = pods.get(pod.uid());
    return json == null
        ? Future.failedFuture("no pod " + pod.display())
        : Future.succeededFuture(json.toBuffer());
  }

  @Override
  public Future<NodeView> node(String name) {
    return Future.failedFuture("no node " + name);
  }
}
