package dev.vertlet.metrics;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ForwardingProvider;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/** Counts the pods of a provider of whole pods that run by the newest report of each. */
public final class CountedProvider extends ForwardingProvider {
  /** Their nodes by UID. A provider reports from any thread, and scrapes have another. */
  private final Map<String, String> running = new ConcurrentHashMap<>();

  public CountedProvider(PodProvider provider) {
    super(provider);
  }

  /** How many pods run. May be read from any thread. */
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

  /** Nobody waits for a report of a pod whose object is gone. */
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

  /** Hears what the provider says. */
  private final class Listening implements ProviderContext {
    private final ProviderContext context;

    Listening(ProviderContext context) {
      this.context = context;
    }

    @Override
    public Vertx vertx() {
      return context.vertx();
    }

    @Override
    public Clock clock() {
      return context.clock();
    }

    @Override
    public RandomGenerator random() {
      return context.random();
    }

    @Override
    public void report(PodReport report) {
      reported(report);
      context.report(report);
    }

    @Override
    public void unclaimed(PodReport pod) {
      context.unclaimed(pod);
    }

    @Override
    public void event(ObjectEvent event) {
      context.event(event);
    }

    @Override
    public Future<Buffer> fullPod(PodRef pod) {
      return context.fullPod(pod);
    }

    @Override
    public Future<NodeView> node(String name) {
      return context.node(name);
    }

    @Override
    public Future<Void> askForDeletion(PodRef pod, Duration grace) {
      return context.askForDeletion(pod, grace);
    }
  }
}
