package com.example.provider;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.PodStatuses;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods that exist in memory and run a while after they were created. All methods are called on one
 * event loop, so plain maps are enough.
 */
final class ExamplePods implements PodProvider {
  /** A pod that says so in an annotation is refused: to show how that is done. */
  static final String REFUSED = "example.com/refused";

  private final ProviderSetup setup;
  private final Duration startDelay;
  private final Addresses addresses;
  private final Map<String, PodReport> pods = new HashMap<>();
  private ProviderContext context;

  ExamplePods(ProviderSetup setup, Duration startDelay) {
    this.setup = setup;
    this.startDelay = startDelay;
    this.addresses = new Addresses(setup);
  }

  @Override
  public Future<Void> start(ProviderContext given) {
    context = given;
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> create(PodView pod) {
    if (pod.annotations().containsKey(REFUSED)) {
      return Future.failedFuture(
          new ProviderException(Kind.INVALID, "ExampleRefused", "has annotation " + REFUSED));
    }
    if (pods.containsKey(pod.uid())) {
      return Future.succeededFuture(); // asked twice
    }
    if (!pod.status().podIPs().isEmpty()) {
      addresses.taken(pod.uid(), pod.status().podIPs().get(0));
      run(pod); // it ran before the agent was restarted, and goes on
      return Future.succeededFuture();
    }
    report(pod, PodStatuses.starting(pod, hostIP(pod), setup.clock().instant()));
    if (startDelay.isZero()) {
      run(pod);
    } else {
      setup.vertx().setTimer(startDelay.toMillis(), id -> runLater(pod));
    }
    return Future.succeededFuture();
  }

  private void runLater(PodView pod) {
    PodReport now = pods.get(pod.uid());
    if (now != null && !now.finished()) {
      run(pod);
    }
  }

  private void run(PodView pod) {
    String ip = addresses.of(pod);
    report(pod, PodStatuses.running(pod, hostIP(pod), List.of(ip), setup.clock().instant()));
  }

  private void report(PodView pod, PodStatusView status) {
    PodReport report = new PodReport(pod.ref(), pod.nodeName(), status, false);
    pods.put(pod.uid(), report);
    context.report(report);
  }

  private String hostIP(PodView pod) {
    NodeSpec node = setup.node(pod.nodeName());
    return node.hostIP();
  }

  @Override
  public Future<Void> update(PodView pod) {
    return Future.succeededFuture(); // nothing here depends on labels or images
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    PodReport held = pods.remove(pod.uid());
    if (held == null) {
      return Future.failedFuture(
          new ProviderException(Kind.NOT_FOUND, "NotFound", "no pod " + pod.ref().display()));
    }
    addresses.free(pod.uid());
    PodStatusView end =
        PodStatuses.ended(held.status(), 0, "Completed", null, setup.clock().instant());
    context.report(new PodReport(held.pod(), held.node(), end, true));
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    pods.remove(pod.uid());
    addresses.free(pod.uid());
    return Future.succeededFuture();
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    return Future.succeededFuture(Optional.ofNullable(pods.get(pod.uid())));
  }

  @Override
  public Future<List<PodReport>> list() {
    return Future.succeededFuture(List.copyOf(pods.values()));
  }

  @Override
  public Future<Void> release(String node) {
    pods.values().removeIf(report -> report.node().equals(node));
    return Future.succeededFuture();
  }
}
