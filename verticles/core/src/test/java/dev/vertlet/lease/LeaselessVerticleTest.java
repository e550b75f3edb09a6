package dev.vertlet.lease;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.nodes.NodeOptions;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.FakeNodes;
import dev.vertlet.testing.NodeSpecs;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LeaselessVerticleTest {
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<LeaseAcquired> acquired = cluster.hear(LEASE_ACQUIRED);
  private final List<LeaseLost> lost = cluster.hear(LEASE_LOST);

  private void ping(String node, boolean ok) {
    cluster.publish(NODE_PINGED, new NodePinged(node, ok, ok ? "" : "no answer"));
  }

  @Test
  void aNodeIsServedWhileItsPingsAreAnswered() {
    cluster.deploy(new LeaselessVerticle(List.of("a", "b"), cluster.bus()));
    ping("a", false);
    ping("another agents", true);
    ping("a", true);
    ping("a", true);
    ping("a", false);
    ping("a", false);
    ping("a", true);
    ping("b", true);
    eventually(
        () ->
            assertThat(acquired)
                .containsExactly(
                    new LeaseAcquired("a", 0),
                    new LeaseAcquired("a", 1),
                    new LeaseAcquired("b", 0)));
    eventually(
        () -> assertThat(lost).containsExactly(new LeaseLost("a", "ping failed: no answer")));
  }

  @Test
  void onlySelfManagedNodesAreServedBesideLeases() {
    cluster.deploy(LeaselessVerticle.selfManaged(cluster.bus()));
    cluster.publish(NODE_ADOPTED, new NodeAdopted("leased"));
    cluster.publish(NODE_ADOPTED, new NodeAdopted("free", true));

    ping("leased", true);
    ping("free", true);

    eventually(() -> assertThat(acquired).containsExactly(new LeaseAcquired("free", 0)));
  }

  @Test
  void nothingIsServedAnyMoreOnceItIsUndeployed() {
    String deployment =
        cluster.deploy(new LeaselessVerticle(List.of("a", "silent"), cluster.bus()));
    ping("a", true);
    eventually(() -> assertThat(acquired).hasSize(1));
    cluster.undeploy(deployment);
    eventually(() -> assertThat(lost).containsExactly(new LeaseLost("a", "released")));
  }

  @Test
  @Tag("NodeRun/WithoutLease")
  void aNodeIsKeptUpToDateWithoutALease() {
    FakeNodes provider = new FakeNodes();
    Duration often = Duration.ofMillis(10);
    NodeSpec spec = NodeSpecs.having("a", NodeSpecs.CAPACITY);
    cluster.deploy(new LeaselessVerticle(List.of("a"), cluster.bus()));
    cluster.deploy(
        cluster.nodes(
            0,
            new NodeOptions("me", often, often, Duration.ofSeconds(30)),
            List.of(spec),
            provider,
            Clock.systemUTC()));
    eventually(
        () ->
            assertThat(cluster.server().count("patch", "nodes/status")).isGreaterThanOrEqualTo(10));
    NodeConditionView told = new NodeConditionView("UPDATED", "True", "Told", "", null, null);
    provider.becomes("a", new NodeHealth(true, "", List.of(told)));
    eventually(
        () ->
            assertThat(cluster.node("a").at("/status/conditions").findValuesAsText("type"))
                .endsWith("UPDATED", "Ready"));
    assertThat(cluster.server().count(request -> request.resource().equals("leases"))).isZero();
  }
}
