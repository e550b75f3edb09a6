package dev.vertlet.lease;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_BACKDATED;
import static dev.vertlet.bus.Addresses.LEASE_CONFIGURED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODES_ASSIGNED;
import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.apiserver.fault.FaultScript;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseBackdated;
import dev.vertlet.bus.LeaseConfigured;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.loop.Env;
import dev.vertlet.model.Timestamps;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.LogLines;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeaseVerticleTest {
  private static final String NAMESPACE = "kube-node-lease";

  /** Long enough that no slow machine loses it, renewed often enough that no test waits long. */
  private static final Duration LONG = Duration.ofSeconds(40);

  /** Soon lost; its hold runs out after 1.5 s. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  private static final Duration RENEWAL = Duration.ofMillis(200);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<LeaseAcquired> acquired = cluster.hear(LEASE_ACQUIRED);
  private final List<LeaseLost> lost = cluster.hear(LEASE_LOST);

  @Test
  @Tag("C51")
  void takesTheLeaseOnceTheProviderAnsweredAPing() {
    deploy("me", LONG, "a");
    cluster.settle();
    assertThat(cluster.server().count(request -> request.resource().equals("leases"))).isZero();
    ping("a", true);
    eventually(() -> assertThat(acquired).containsExactly(new LeaseAcquired("a", 0)));
    assertThat(lease("a").path("spec").path("holderIdentity").asText()).isEqualTo("a");
    assertThat(lease("a").path("spec").path("leaseDurationSeconds").asInt()).isEqualTo(40);
    assertThat(agent("a")).isEqualTo("me");
  }

  @Test
  @Tag("2.4-6")
  void theOwnerFollowsTheNodesUid() {
    hold("me", LONG, "a");
    cluster.publish(NODE_REGISTERED, new NodeRegistered("a", "uid-1"));
    eventually(() -> assertThat(owner("a")).isEqualTo("uid-1"));
    cluster.publish(NODE_REGISTERED, new NodeRegistered("a", "uid-2"));
    eventually(() -> assertThat(owner("a")).isEqualTo("uid-2"));
    assertThat(lease("a").path("metadata").path("ownerReferences")).hasSize(1);
  }

  @Test
  @Tag("2.4-7")
  void aHungProviderStopsTheRenewalAndTheLeaseIsLost() {
    hold("me", SHORT, "a");
    ping("a", false);
    // renewals, five in the time of a hold, would keep this from ever coming
    eventually(() -> assertThat(lost).extracting(LeaseLost::node).contains("a"));
    assertThat(lost.get(0).reason()).isEqualTo("ping failed: no answer");
    countsLost("provider");
  }

  @Test
  void aLeaseThatTheApiServerDoesNotRenewIsLost() {
    hold("me", SHORT, "a");
    cluster.faults().on("update", "leases").respond(500, "InternalError");
    eventually(() -> assertThat(lost).extracting(LeaseLost::node).contains("a"));
    countsLost("not_renewed");
  }

  /** One, for this reason alone. */
  private void countsLost(String reason) {
    assertThat(metrics.get("vertlet_leases_lost_total").counters())
        .filteredOn(counter -> counter.count() > 0)
        .satisfiesExactly(
            counter -> {
              assertThat(counter.getId().getTag("reason")).isEqualTo(reason);
              assertThat(counter).extracting(Counter::count).isEqualTo(1.0);
            });
  }

  /** As when an agent starts with thousands of nodes. */
  @Test
  void aRenewalDoesNotWaitForLeasesThatAreStillToBeTaken() {
    hold("me", LONG, "a");
    cluster.faults().on("list", "leases").respond(403, "Forbidden");
    Fault unanswered = cluster.faults().on("get", "leases").hang();
    deployCrowd();
    eventually(() -> assertThat(unanswered.hits()).isEqualTo(32));

    String before = renewal("a");
    eventually(() -> assertThat(renewal("a")).isGreaterThan(before));
    assertThat(unanswered.hits()).as("leases taken at once").isEqualTo(32);
    assertThat(lost).isEmpty();
  }

  @Test
  void aCrowdOfLeasesIsTakenInTurns() {
    Fault failing = cluster.faults().on("create", "leases").times(50).respond(500, "InternalError");
    deployCrowd();
    eventually(() -> assertThat(acquired).hasSize(200));
    assertThat(failing.isSpent()).isTrue();
  }

  @Test
  void aCrowdOfLeasesIsReadWithAList() {
    deployCrowd();
    eventually(() -> assertThat(acquired).hasSize(200));
    assertThat(cluster.server().count("list", "leases")).isPositive();
    assertThat(cluster.server().count("get", "leases"))
        .as("single reads, before the crowd was seen")
        .isLessThan(LeaseReads.LIST_FROM + LeaseReads.AT_ONCE);
  }

  @Test
  void aCrowdOfLeasesIsReadOneByOneWhereListsAreForbidden() {
    Fault forbidden = cluster.faults().on("list", "leases").respond(403, "Forbidden");
    deployCrowd();
    eventually(() -> assertThat(acquired).hasSize(200));
    assertThat(forbidden.hits()).isEqualTo(1);
    assertThat(cluster.server().count("get", "leases")).isEqualTo(200);
  }

  @Test
  void aListThatFailsIsRepeated() {
    Fault failing = cluster.faults().on("list", "leases").times(3).respond(503, "Unavailable");
    deployCrowd();
    eventually(() -> assertThat(acquired).hasSize(200));
    assertThat(failing.hits()).isPositive();
  }

  private void deployCrowd() {
    String[] crowd = IntStream.range(0, 200).mapToObj(i -> "crowd-" + i).toArray(String[]::new);
    deploy("me", LONG, crowd);
    for (String node : crowd) {
      ping(node, true);
    }
  }

  @Test
  void saysThatARenewalIsBackdatedUntilTheClockHasCaughtUp() {
    SetClock wall = new SetClock();
    List<LeaseBackdated> backdated = cluster.hear(LEASE_BACKDATED);
    deploy("me", LONG, false, wall, "a");
    ping("a", true);
    eventually(() -> assertThat(acquired).hasSize(1));
    String before = renewal("a");
    eventually(() -> assertThat(renewal("a")).isGreaterThan(before));
    assertThat(backdated).isEmpty();

    wall.ahead = Duration.ofHours(-1);
    eventually(() -> assertThat(renewal("a")).isLessThan(before));
    eventually(
        () -> assertThat(backdated).hasSizeGreaterThan(1).containsOnly(new LeaseBackdated("a")));

    wall.ahead = Duration.ofHours(1);
    eventually(() -> assertThat(renewal("a")).isGreaterThan(before));
    int then = backdated.size();
    String later = renewal("a");
    eventually(() -> assertThat(renewal("a")).isGreaterThan(later));
    assertThat(backdated).hasSize(then);
    assertThat(lost).isEmpty();
  }

  /** The machine's clock, which the test sets. */
  private static final class SetClock extends Clock {
    private volatile Duration ahead = Duration.ZERO; // set by the test, read by the verticle

    @Override
    public Instant instant() {
      return Instant.now().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  @Tag("A09")
  void aNodesLeaseTakesOtherTimesWhileItIsHeld() {
    hold("me", LONG, "a", "b");

    cluster
        .bus()
        .send(
            LEASE_CONFIGURED,
            new LeaseConfigured("a", Duration.ofSeconds(20), RENEWAL, Duration.ofMinutes(1)));

    eventually(
        () ->
            assertThat(lease("a").path("spec").path("leaseDurationSeconds").asInt()).isEqualTo(20));
    String before = renewal("a");
    eventually(() -> assertThat(renewal("a")).isGreaterThan(before));
    assertThat(lease("b").path("spec").path("leaseDurationSeconds").asInt()).isEqualTo(40);
    assertThat(lost).isEmpty();
  }

  @Test
  void aProviderThatAnswersAgainGetsItsLeaseBack() {
    hold("me", SHORT, "a");
    ping("a", false);
    eventually(() -> assertThat(lost).isNotEmpty());
    ping("a", true);
    eventually(() -> assertThat(acquired).hasSizeGreaterThan(1));
    assertThat(lease("a").path("spec").path("leaseTransitions").asInt()).isZero();
  }

  @Test
  @Tag("2.4-15")
  void oneHungProviderLeavesTheLeasesOfOtherNodesAlone() {
    hold("me", SHORT, "a", "b");
    ping("a", false);
    eventually(() -> assertThat(lost).extracting(LeaseLost::node).contains("a"));
    String before = renewal("b");
    eventually(() -> assertThat(renewal("b")).isGreaterThan(before));
    assertThat(cluster.object("leases", NAMESPACE, "a").path("spec").path("renewTime").asText())
        .isLessThan(before);
  }

  @Test
  void waitsForAnotherAgentsLeaseToExpireAndSaysWhoseItIs() {
    Instant renewed = Instant.now();
    createForeignLease("a", 3, renewed);
    try (LogLines log = LogLines.of(LeaseVerticle.class)) {
      hold("me", LONG, "a");
      assertThat(log.withKey("holder")).containsExactly("agent other");
    }
    JsonNode spec = lease("a").path("spec");
    assertThat(Instant.parse(spec.path("acquireTime").asText()))
        .isAfterOrEqualTo(renewed.plusSeconds(3));
    assertThat(spec.path("leaseTransitions").asInt()).isEqualTo(1);
    assertThat(agent("a")).isEqualTo("me");
  }

  @Test
  void theLeaseIsGivenBackOnUndeployAndASuccessorNeedNotWait() {
    String deployment = hold("me", LONG, "a");
    cluster.undeploy(deployment);
    assertThat(lease("a").path("spec").has("holderIdentity")).isFalse();
    assertThat(agent("a")).isEqualTo("me");
    acquired.clear();
    hold("you", LONG, "a");
    assertThat(agent("a")).isEqualTo("you");
  }

  @Test
  void aLeaseThatSomebodyDeletedIsMadeAgain() {
    hold("me", LONG, "a");
    String before = lease("a").path("metadata").path("uid").asText();
    cluster.deleteNow("leases", NAMESPACE, "a");
    eventually(
        () -> {
          assertThat(cluster.exists("leases", NAMESPACE, "a")).isTrue();
          assertThat(lease("a").path("metadata").path("uid").asText()).isNotEqualTo(before);
        });
    assertThat(lost).isEmpty();
  }

  @Test
  void stopsServingAtOnceWhenAnotherAgentHasTakenTheLease() {
    hold("me", LONG, "a");
    String renewed = Timestamps.formatMicro(Instant.now());
    get(
        cluster
            .objects()
            .edit(
                "leases",
                NAMESPACE,
                "a",
                lease -> {
                  lease
                      .withObject("/metadata/annotations")
                      .put("vertlet.dev/agent", "other")
                      .put("vertlet.dev/agent-renew-time", renewed);
                  lease.withObject("/spec").put("renewTime", renewed);
                }));
    eventually(
        () -> assertThat(lost).containsExactly(new LeaseLost("a", "agent other holds the lease")));
    assertThat(agent("a")).isEqualTo("other");
    countsLost("taken");
  }

  private void assign(String node, String identity) {
    cluster.publish(NODES_ASSIGNED, new NodesAssigned(Map.of(node, identity)));
  }

  @Test
  void aNodeIsServedOnlyWhileItIsAssigned() {
    deploy("me", LONG, true, "a", "b");
    ping("a", true);
    ping("b", true);
    cluster.settle();
    assertThat(acquired).isEmpty();

    assign("a", "me");
    eventually(() -> assertThat(acquired).containsExactly(new LeaseAcquired("a", 0)));
    cluster.settle();
    assertThat(acquired).as("of b nothing was said").hasSize(1);
  }

  @Test
  void aLeaseIsHandedOverAndNeverNobodys() {
    deploy("me", LONG, true, "a");
    ping("a", true);
    assign("a", "me");
    eventually(() -> assertThat(acquired).hasSize(1));

    assign("a", "you");

    eventually(() -> assertThat(agent("a")).isEqualTo("you"));
    eventually(
        () -> assertThat(lost).containsExactly(new LeaseLost("a", "handed over to agent you")));
    assertThat(lease("a").at("/spec/holderIdentity").asText()).isEqualTo("a");
    assertThat(lease("a").at("/spec/leaseTransitions").asInt()).isEqualTo(1);
    assertThat(metrics.get("vertlet_leases_lost_total").counters())
        .as("given, not lost")
        .extracting(Counter::count)
        .containsExactly(0.0, 0.0, 0.0);

    // who comes on the same bus hears of the same assignment
    deploy("you", LONG, true, "a");
    ping("a", true);
    assign("a", "you");
    eventually(() -> assertThat(acquired).hasSize(2));
    assertThat(agent("a")).isEqualTo("you");
    assertThat(lease("a").at("/spec/leaseTransitions").asInt()).isEqualTo(1);

    assign("a", "me");
    eventually(() -> assertThat(agent("a")).isEqualTo("me"));
    eventually(() -> assertThat(acquired).hasSize(3));
    assertThat(lost).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void aRenewalThatFailsOnceIsMadeUpFor(Trouble trouble) {
    hold("me", LONG, "a");
    Fault fault = trouble.script.apply(cluster.faults().on("update", "leases").once());
    eventually(() -> assertThat(fault.hits()).isEqualTo(1));
    String before = renewal("a");
    eventually(() -> assertThat(renewal("a")).isGreaterThan(before));
    assertThat(lost).isEmpty();
  }

  enum Trouble {
    SERVER_ERROR(script -> script.respond(500, "InternalError")),
    THROTTLED(script -> script.throttle(1)),
    CONFLICT(FaultScript::conflict),
    RESET(FaultScript::reset),
    CUT(FaultScript::cut),
    ANSWER_LOST(FaultScript::loseAnswer),
    HALF_OPEN(FaultScript::hang);

    final Function<FaultScript, Fault> script;

    Trouble(Function<FaultScript, Fault> script) {
      this.script = script;
    }
  }

  private String hold(String identity, Duration duration, String... nodes) {
    String deployment = deploy(identity, duration, nodes);
    for (String node : nodes) {
      ping(node, true);
      eventually(() -> assertThat(acquired).extracting(LeaseAcquired::node).contains(node));
    }
    return deployment;
  }

  private String deploy(String identity, Duration duration, String... nodes) {
    return deploy(identity, duration, false, nodes);
  }

  private String deploy(String identity, Duration duration, boolean assigned, String... nodes) {
    return deploy(identity, duration, assigned, Clock.systemUTC(), nodes);
  }

  private String deploy(
      String identity, Duration duration, boolean assigned, Clock wall, String... nodes) {
    return cluster.deploy(
        new LeaseVerticle(
            new LeaseSettings(
                identity, new LeaseOptions(true, duration, RENEWAL), Duration.ofMinutes(1)),
            List.of(nodes),
            assigned,
            cluster.kube(),
            cluster.bus(),
            new Env(wall, System::nanoTime, new Random(1), metrics)));
  }

  private void ping(String node, boolean ok) {
    cluster.publish(NODE_PINGED, new NodePinged(node, ok, ok ? "" : "no answer"));
  }

  private void createForeignLease(String node, int seconds, Instant renewed) {
    String time = Timestamps.formatMicro(renewed);
    cluster.create(
        "leases",
        """
        {"metadata": {"name": "%s", "namespace": "kube-node-lease",
                      "annotations": {"vertlet.dev/agent": "other",
                                      "vertlet.dev/agent-renew-time": "%s"}},
         "spec": {"holderIdentity": "%s", "leaseDurationSeconds": %d, "renewTime": "%s"}}
        """
            .formatted(node, time, node, seconds, time));
  }

  private JsonNode lease(String node) {
    return cluster.object("leases", NAMESPACE, node);
  }

  private String renewal(String node) {
    return lease(node).path("spec").path("renewTime").asText();
  }

  private String agent(String node) {
    return lease(node).path("metadata").path("annotations").path("vertlet.dev/agent").asText();
  }

  private String owner(String node) {
    return lease(node).path("metadata").path("ownerReferences").path(0).path("uid").asText();
  }
}
