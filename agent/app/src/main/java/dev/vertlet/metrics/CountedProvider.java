package dev.vertlet.metrics;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.pod.ForwardingContext;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the running pods of a provider of whole pods, by the latest report of each. */
public final class CountedProvider extends ForwardingProvider {
  /** Nodes of the running pods by UID. Reports come on any thread, scrapes on another. */
  private final Map<String, String> running = new ConcurrentHashMap<>();

  public CountedProvider(PodProvider provider) {
    super(provider);
  }

  /** Returns the number of running pods. Thread-safe. */
  public int running() {
    return running.size();
  }

  private void reported(PodReport report) {
    if (report.status().phase() == PodPhase.RUNNING && !report.finished()) {
      running.put(report.pod().uid(), report.node());
    } else {
      running.remove(report.pod().uid());
    }
  }

  @Override
  public Future<Void> start(ProviderContext context) {
    return super.start(new Listening(context));
  }

  /** Kills the pod and stops counting it: there is no report after its object is gone. */
  @Override
  public Future<Void> kill(PodRef pod) {
    return super.kill(pod).onSuccess(v -> running.remove(pod.uid()));
  }

  @Override
  public Future<Void> release(String node) {
    running.values().removeIf(node::equals);
    return super.release(node);
  }

  @Override
  public boolean reports() {
    return provider.reports();
  }

  @Override
  public boolean usesEnvironment() {
    return provider.usesEnvironment();
  }

  /** Observes the provider's reports. */
  private final class Listening extends ForwardingContext {
    Listening(ProviderContext context) {
      super(context);
    }

    @Override
    public void report(PodReport report) {
      reported(report);
      super.report(report);
    }
  }
}
