package dev.vertlet.metrics;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODES_ASSIGNED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;
import static dev.vertlet.bus.Addresses.NODE_STATUS_CHANGED;

import dev.vertlet.bus.Bus;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Collection;

/**
 * Exports the number of nodes and their state. It listens to changes, which renewals and pings do
 * not cause: idle nodes cost nothing.
 */
public final class NodeMetersVerticle extends VerticleBase {
  private static final Metric NODES =
      Metric.gauge(
          "vertlet_nodes",
          "nodes",
          "that the agent is to serve: those of its configuration and those that it has adopted, or"
              + " its share where several agents divide them");
  private static final Metric READY =
      Metric.gauge(
          "vertlet_nodes_ready",
          "nodes",
          "of these whose Ready condition was True when the agent last saw it on the API server");
  private static final Metric HELD =
      Metric.gauge(
          "vertlet_leases_held",
          "leases",
          "that the agent holds; with `lease.enabled: false` nodes whose provider answers");

  private final Bus bus;
  private final NodeCounts counts;

  /**
   * @param nodes names of the nodes that the agent creates
   * @param identity identity of this agent among several that divide the nodes
   */
  public NodeMetersVerticle(
      Collection<String> nodes, String identity, Bus bus, MeterRegistry registry) {
    this.bus = bus;
    this.counts = new NodeCounts(nodes, identity);
    NODES.gauge(registry, counts::own);
    READY.gauge(registry, counts::ready);
    HELD.gauge(registry, counts::held);
  }

  @Override
  public Future<?> start() {
    return Future.all(
        bus.consume(LEASE_ACQUIRED, counts::on).completion(),
        bus.consume(LEASE_LOST, counts::on).completion(),
        bus.consume(NODES_ASSIGNED, counts::on).completion(),
        bus.consume(NODE_ADOPTED, counts::on).completion(),
        bus.consume(NODE_RELEASED, counts::on).completion(),
        bus.consume(NODE_STATUS_CHANGED, counts::on).completion());
  }
}
