package dev.vertlet.testing;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what a provider says, and knows nothing of any object. */
public final class ToldContext implements EmptyContext {
  private final Vertx vertx;
  private final Clock clock;
  private final List<PodReport> reports = new CopyOnWriteArrayList<>();
  private final List<PodReport> unclaimed = new CopyOnWriteArrayList<>();
  private final List<ObjectEvent> events = new CopyOnWriteArrayList<>();

  public ToldContext(Vertx vertx, Clock clock) {
    this.vertx = vertx;
    this.clock = clock;
  }

  /** All reports so far; the list grows. */
  public List<PodReport> reports() {
    return reports;
  }

  /** Pods that a provider has told of and does not know; the list grows. */
  public List<PodReport> unclaimed() {
    return unclaimed;
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
  public void report(PodReport report) {
    reports.add(report);
  }

  @Override
  public void unclaimed(PodReport pod) {
    unclaimed.add(pod);
  }

  @Override
  public void event(ObjectEvent event) {
    events.add(event);
  }
}
