package dev.vertlet.provider.pod;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeView;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Delegates to another context; subclasses override what they change. */
public abstract class ForwardingContext implements ProviderContext {
  private final ProviderContext context;

  protected ForwardingContext(ProviderContext context) {
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
  public Future<ServiceAccountToken> requestToken(TokenRequest request) {
    return context.requestToken(request);
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
