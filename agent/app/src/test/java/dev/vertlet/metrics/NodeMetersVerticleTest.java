package dev.vertlet.metrics;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeStatusChanged;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class NodeMetersVerticleTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double value(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void gaugesFollowWhatIsPublishedOfNodes(Vertx vertx) throws Exception {
    Bus bus = Bus.install(vertx);
    get(vertx.deployVerticle(new NodeMetersVerticle(List.of("a", "b"), "me", bus, registry)));
    assertThat(value("vertlet_nodes")).isEqualTo(2);

    bus.publish(Addresses.NODE_ADOPTED, new NodeAdopted("c"));
    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("a", 0));
    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("b", 0));
    bus.publish(Addresses.NODE_STATUS_CHANGED, new NodeStatusChanged("a", true, ""));

    eventually(() -> assertThat(value("vertlet_nodes")).isEqualTo(3));
    eventually(() -> assertThat(value("vertlet_leases_held")).isEqualTo(2));
    eventually(() -> assertThat(value("vertlet_nodes_ready")).isEqualTo(1));
  }
}
