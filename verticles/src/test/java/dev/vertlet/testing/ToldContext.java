package dev.vertlet.testing;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/** Remembers what a provider says, and knows nothing of any object. */
public final class ToldContext implements ProviderContext {
  private final Vertx vertx;
  private final Clock clock;
  private final List<PodReport> reports = new CopyOnWriteArrayList<>();
  private final List<ObjectEvent> events = new CopyOnWriteArrayList<>();

  public ToldContext(Vertx vertx, Clock clock) {
    this.vertx = vertx;
    this.clock = clock;
  }

  /** All reports so far; the list grows. */
  public List<PodReport> reports() {
    return reports;
  }

  /** All events so far; the list grows. */
  public List<ObjectEvent> events() {
    return events;
  }

  @Override
  public Vertx vertx() {
    return vertx;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public RandomGenerator random() {
    return new SplittableRandom(1);
  }

  @Override
  public void report(PodReport report) {
    reports.add(report);
  }

  @Override
  public void event(ObjectEvent event) {
    events.add(event);
  }

  @Override
  public Future<Buffer> fullPod(PodRef pod) {
    return Future.failedFuture("not in this test");
  }

  @Override
  public Future<NodeView> node(String name) {
    return Future.failedFuture("not in this test");
  }
}
