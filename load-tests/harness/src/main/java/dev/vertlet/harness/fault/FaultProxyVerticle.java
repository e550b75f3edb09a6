package dev.vertlet.harness.fault;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Verticle of a {@link FaultProxy}: runs the gate and the relay on its event loop. */
final class FaultProxyVerticle extends VerticleBase {
  private final FaultProxy.Prepared prepared;
  private final FaultPlan plan;
  private final TrafficLog log = new TrafficLog();
  private @Nullable Parts parts;

  FaultProxyVerticle(FaultProxy.Prepared prepared, RandomGenerator random) {
    this.prepared = prepared;
    this.plan = new FaultPlan(random);
  }

  @Override
  public Future<?> start() {
    TcpGate gate = new TcpGate(vertx, prepared.port(), log);
    HttpRelay relay = new HttpRelay(vertx, prepared, plan, log, gate::cut);
    parts = new Parts(context, gate, relay);
    return relay.listen().compose(gate::open);
  }

  @Override
  public Future<?> stop() {
    return gate().close();
  }

  FaultPlan plan() {
    return plan;
  }

  TrafficLog log() {
    return log;
  }

  Context loop() {
    return parts().loop();
  }

  TcpGate gate() {
    return parts().gate();
  }

  HttpRelay relay() {
    return parts().relay();
  }

  private Parts parts() {
    return Objects.requireNonNull(parts, "used before its deployment has succeeded");
  }

  private record Parts(Context loop, TcpGate gate, HttpRelay relay) {}
}
