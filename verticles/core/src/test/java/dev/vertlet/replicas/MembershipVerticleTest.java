package dev.vertlet.replicas;

import static dev.vertlet.bus.Addresses.NODES_ASSIGNED;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.model.Timestamps;
import dev.vertlet.testing.FakeCluster;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class MembershipVerticleTest {
  private static final List<String> NODES = IntStream.range(0, 60).mapToObj(i -> "n" + i).toList();
  private static final ReplicaOptions OPTIONS =
      new ReplicaOptions(true, "g", "kube-system", Duration.ofSeconds(2), Duration.ofMillis(200));

  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<NodesAssigned> assigned = cluster.hear(NODES_ASSIGNED);

  private String deploy() {
    return cluster.deploy(
        new MembershipVerticle(
            "me",
            OPTIONS,
            NODES,
            List.of(),
            cluster.kube(),
            cluster.bus(),
            cluster.env(Clock.systemUTC())));
  }

  private void other(String identity, Instant renewed, int seconds) {
    cluster.create(
        "leases",
        new JsonObject()
            .put("apiVersion", "coordination.k8s.io/v1")
            .put("kind", "Lease")
            .put(
                "metadata",
                new JsonObject()
                    .put("name", "vertlet-g-" + identity)
                    .put("namespace", "kube-system")
                    .put(
                        "annotations",
                        new JsonObject()
                            .put(ReplicaOptions.NODES_ANNOTATION, Rendezvous.digest(NODES)))
                    .put("labels", new JsonObject().put(ReplicaOptions.GROUP_LABEL, "g")))
            .put(
                "spec",
                new JsonObject()
                    .put("holderIdentity", identity)
                    .put("leaseDurationSeconds", seconds)
                    .put("renewTime", Timestamps.formatMicro(renewed)))
            .encode());
  }

  private Set<String> owners() {
    return assigned.isEmpty()
        ? Set.of()
        : Set.copyOf(assigned.get(assigned.size() - 1).owners().values());
  }

  @Test
  void whoIsAloneHasAllNodes() {
    deploy();

    eventually(() -> assertThat(owners()).containsExactly("me"));
    assertThat(assigned.get(0).owners()).hasSize(NODES.size());
    assertThat(
            cluster
                .object("leases", "kube-system", "vertlet-g-me")
                .at("/metadata/labels")
                .path(ReplicaOptions.GROUP_LABEL)
                .asText())
        .isEqualTo("g");
  }

  @Test
  void whoComesLaterTakesAShareFromTheBeginning() {
    other("you", Instant.now(), 3600);

    deploy();

    eventually(() -> assertThat(owners()).containsExactlyInAnyOrder("me", "you"));
    assertThat(assigned).as("nothing was said before the other was known").hasSize(1);
  }

  @Test
  void whoComesAndIsNotHeardOfAgainLosesItsShare() {
    deploy();
    eventually(() -> assertThat(owners()).containsExactly("me"));

    other("you", Instant.now(), 2);

    eventually(() -> assertThat(owners()).containsExactlyInAnyOrder("me", "you"));
    eventually(() -> assertThat(owners()).containsExactly("me"));
  }

  @Test
  void whoCannotRenewItsLeaseGivesNothingAway() {
    other("you", Instant.now(), 3600);
    deploy();
    eventually(() -> assertThat(owners()).containsExactlyInAnyOrder("me", "you"));

    cluster.faults().on("patch", "leases").respond(500, "InternalError");

    eventually(() -> assertThat(owners()).isEmpty());
  }

  @Test
  void whoEndsLeavesAtOnce() {
    String deployment = deploy();
    eventually(() -> assertThat(owners()).containsExactly("me"));

    cluster.undeploy(deployment);

    eventually(() -> assertThat(cluster.exists("leases", "kube-system", "vertlet-g-me")).isFalse());
  }
}
