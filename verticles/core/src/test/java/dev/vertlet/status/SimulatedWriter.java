package dev.vertlet.status;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.Env;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A {@link StatusWriter} on a simulated loop, for the simulation of a whole agent. */
public final class SimulatedWriter {
  private final StatusWriter writer;

  public SimulatedWriter(
      boolean brief,
      int window,
      Supplier<RequestScope> scopes,
      CoreLoop loop,
      LongSupplier nanos,
      RandomGenerator random) {
    writer =
        new StatusWriter(
            brief,
            window,
            node -> scopes.get(),
            StatusRetries.DEFAULTS,
            loop,
            new Env(Clock.systemUTC(), nanos, random, new SimpleMeterRegistry()),
            (pod, reason) -> {});
  }

  public Future<Void> leave() {
    return writer.leave();
  }

  public void acquired(String node) {
    writer.acquired(node);
  }

  public void lost(String node) {
    writer.lost(node);
  }

  public void observed(PodView pod) {
    writer.observed(pod);
  }

  public void gone(PodRef pod) {
    writer.gone(pod);
  }

  public void reported(List<PodReport> reports) {
    writer.reported(reports);
  }

  /** How many pods have an entry. */
  public int size() {
    return writer.size();
  }

  /** Whether nothing is in flight and nothing waits. */
  public boolean idle() {
    return writer.writes() == 0;
  }
}
