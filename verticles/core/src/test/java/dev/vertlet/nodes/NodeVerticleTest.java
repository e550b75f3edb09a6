package dev.vertlet.nodes;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_BACKDATED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.bus.Addresses.NODE_STATUS_CHANGED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseBackdated;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.Shards;
import dev.vertlet.kube.KubeException;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.FakeNodes;
import dev.vertlet.testing.LogLines;
import dev.vertlet.testing.NodeSpecs;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeVerticleTest {
  private static final TaintView OWN = new TaintView("virtual", "yes", "NoSchedule");

  private static final String FOREIGN =
      """
      {"metadata": {"name": "a", "labels": {"team": "x"}, "annotations": {"note": "kept"}},
       "spec": {"taints": [{"key": "gpu", "value": "broken", "effect": "NoExecute"}]},
       "status": {"conditions": [{"type": "KernelDeadlock", "status": "False", "reason": "Fine"}]}}
      """;

  private final FakeNodes provider = new FakeNodes();
  private final ManualClock clock = new ManualClock();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<NodeRegistered> registered = cluster.hear(NODE_REGISTERED);
  private final List<NodeStatusChanged> changed = cluster.hear(NODE_STATUS_CHANGED);
  private final List<NodePinged> pinged = cluster.hear(NODE_PINGED);
  private final List<ObjectEvent> events = cluster.hear(OBJECT_EVENT);

  @Test
  void pingsButDoesNotTouchTheNodeBeforeItsLeaseIsHeld() {
    deploy(spec("a"));
    eventually(() -> assertThat(pinged).contains(new NodePinged("a", true, "")));
    cluster.settle();
    assertThat(cluster.server().count("get", "nodes")).isZero();
    assertThat(cluster.writes("nodes")).isZero();
  }

  @Test
  @Tag("C51")
  void registersANodeAndTellsEveryone() {
    register(spec("a", OWN));
    JsonNode node = cluster.node("a");
    eventually(() -> assertThat(registered).containsExactly(new NodeRegistered("a", uid("a"))));
    assertThat(node.at("/metadata/labels/vertlet.dev~1agent").asText()).isEqualTo("me");
    assertThat(taints("a")).contains("virtual=yes:NoSchedule");
    assertThat(node.at("/status/capacity/cpu").asText()).isEqualTo("4");
    eventually(
        () ->
            assertThat(events)
                .extracting(ObjectEvent::reason)
                .containsExactlyInAnyOrder("Starting", "NodeReady"));
  }

  @Test
  void aNodeThatStayedReadyWhileItsAgentWasAwayIsNotToldToBecomeReady() {
    cluster.create(
        "nodes",
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"},
         "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
        """);
    serve(spec("a"));
    eventually(() -> assertThat(changed).containsExactly(new NodeStatusChanged("a", true, "")));
    cluster.settle();
    assertThat(events).extracting(ObjectEvent::reason).containsExactly("Starting");

    provider.becomes("a", false, "runtime is down");
    eventually(
        () ->
            assertThat(events)
                .extracting(ObjectEvent::reason)
                .containsExactly("Starting", "NodeNotReady"));
  }

  /** kubelet row C41: labels and taints that others put on a node count at admission. */
  @Test
  @Tag("C41")
  void theBackEndHearsOfItsNodesObject() {
    watch();
    register(spec("a", OWN));
    eventually(() -> assertThat(provider.seen("a")).isNotNull());
    cluster.patch("nodes", "", "a", "{\"metadata\": {\"labels\": {\"disk\": \"ssd\"}}}");
    eventually(
        () ->
            assertThat(provider.seen("a"))
                .satisfies(
                    seen -> {
                      assertThat(seen.labels()).containsEntry("disk", "ssd");
                      assertThat(seen.status().allocatable()).containsKey("cpu");
                    }));
  }

  @Test
  void aProviderThatCannotTakeANodeStillHasIt() {
    provider.refuseObjects();
    register(spec("a", OWN));
  }

  @Test
  void aNodeWithAnotherBootThanBeforeWasRebooted() {
    cluster.create("nodes", FOREIGN);
    cluster.patchStatus("nodes", "", "a", "{\"status\": {\"nodeInfo\": {\"bootID\": \"before\"}}}");
    register(spec("a", OWN));
    assertThat(cluster.node("a").at("/status/nodeInfo/bootID").asText()).isEqualTo("boot-of-a");
    // the answer to the write follows what it wrote
    eventually(
        () ->
            assertThat(events)
                .filteredOn(event -> event.reason().equals("Rebooted"))
                .extracting(ObjectEvent::type, ObjectEvent::message)
                .containsExactly(tuple("Warning", "Node a has been rebooted, boot id: boot-of-a")));
  }

  @Test
  @Tag("2.4-6")
  @Tag("BeforeAnnotationsPreserved")
  void adoptsANodeAndKeepsWhatOthersPutOnIt() {
    cluster.create("nodes", FOREIGN);
    String uid = uid("a");
    register(spec("a", OWN));
    JsonNode node = cluster.node("a");
    eventually(() -> assertThat(registered).containsExactly(new NodeRegistered("a", uid)));
    assertThat(node.at("/metadata/labels/team").asText()).isEqualTo("x");
    assertThat(node.at("/metadata/annotations/note").asText()).isEqualTo("kept");
    assertThat(taints("a")).contains("gpu=broken:NoExecute", "virtual=yes:NoSchedule");
    assertThat(node.at("/status/conditions").findValuesAsText("type"))
        .startsWith("KernelDeadlock")
        .endsWith("Ready");
  }

  @Test
  void aTaintTakenOutOfTheConfigurationLeavesTheNodeAndForeignOnesStay() {
    cluster.create("nodes", FOREIGN);
    String first = serve(spec("a", OWN));
    ready("a");
    cluster.undeploy(first);
    serve(spec("a"));
    eventually(
        () ->
            assertThat(taints("a"))
                .contains("gpu=broken:NoExecute")
                .noneMatch(taint -> taint.startsWith("virtual")));
  }

  @Test
  void aRestartWritesNothingForAnUnchangedNode() {
    String first = serve(spec("a", OWN));
    ready("a");
    cluster.undeploy(first);
    changed.clear();
    cluster.server().log().clear();
    register(spec("a", OWN));
    cluster.settle();
    assertThat(cluster.writes("nodes")).isZero();
  }

  @Test
  @Tag("2.4-6")
  @Tag("NodeCustomUpdateStatusErrorHandler")
  void aNodeDeletedBehindOurBackIsRegisteredAgain() {
    watch();
    register(spec("a", OWN));
    String before = uid("a");
    cluster.delete("nodes", "", "a");
    eventually(() -> assertThat(registered).hasSize(2));
    assertThat(registered.get(1)).isEqualTo(new NodeRegistered("a", uid("a")));
    assertThat(uid("a")).isNotEqualTo(before);
    assertThat(taints("a")).contains("virtual=yes:NoSchedule");
  }

  @Test
  void aLabelThatSomebodyTookAwayIsPutBack() {
    watch();
    register(spec("a"));
    String patch = "{\"metadata\": {\"labels\": {\"vertlet.dev/agent\": null}}}";
    cluster.patch("nodes", "", "a", patch);
    eventually(
        () ->
            assertThat(cluster.node("a").at("/metadata/labels/vertlet.dev~1agent").asText())
                .isEqualTo("me"));
    assertThat(registered).hasSize(1);
  }

  @Test
  void aStatusThatSomebodyChangedIsPutRight() {
    watch();
    register(spec("a"));
    String patch =
        """
        {"status": {"conditions": [{"type": "Ready", "status": "Unknown"},
                                   {"type": "KernelDeadlock", "status": "False"}]}}
        """;
    cluster.patchStatus("nodes", "", "a", patch);
    eventually(() -> assertThat(condition("a", "Ready")).isEqualTo("True"));
    assertThat(condition("a", "KernelDeadlock")).isEqualTo("False");
  }

  @Test
  @Tag("UpdateNodeStatus")
  void aStatusIsWrittenToTheNodeItIsOfAndToNoOther() {
    register(spec("a"));
    provider.becomes("a", false, "first");
    eventually(() -> assertThat(message("a")).isEqualTo("first"));
    provider.becomes("a", false, "second");
    eventually(() -> assertThat(message("a")).isEqualTo("second"));
    // nobody tells the agent that this is another node
    cluster.delete("nodes", "", "a");
    cluster.create("nodes", FOREIGN);
    Fault reading = cluster.faults().on("get", "nodes").respond(503, "ServiceUnavailable");
    cluster.server().log().clear();
    provider.becomes("a", true, "");
    patiently(() -> assertThat(reading.hits()).isPositive());
    assertThat(cluster.server().count("patch", "nodes/status")).isEqualTo(1);
    assertThat(cluster.node("a").at("/status/conditions").findValuesAsText("type"))
        .containsExactly("KernelDeadlock");
    reading.lift();
    patiently(() -> assertThat(condition("a", "Ready")).isEqualTo("True"));
    assertThat(registered).extracting(NodeRegistered::uid).endsWith(uid("a"));
  }

  @Test
  @Tag("UpdateNodeStatus")
  void aStatusOfANodeThatIsGoneMakesTheNodeAnew() {
    register(spec("a"));
    cluster.delete("nodes", "", "a");
    provider.becomes("a", false, "down");
    patiently(() -> assertThat(cluster.exists("nodes", "", "a")).isTrue());
    eventually(() -> assertThat(registered).hasSize(2));
    assertThat(registered.get(1).uid()).isEqualTo(uid("a"));
  }

  /** kubelet C49: the verticle's clock stands still, so nothing is waited for. */
  @Test
  @Tag("C49")
  void whatTheBackEndHasIsWrittenAsSoonAsItChanges() {
    register(spec("a"));
    provider.describes("a", spec -> having(spec, Map.of("cpu", "8", "gpu", "1")));
    eventually(() -> assertThat(resource("a", "cpu")).isEqualTo("8"));
    assertThat(resource("a", "gpu")).isEqualTo("1");
    assertThat(resource("a", "pods")).isEqualTo("110");
    provider.describes("a", spec -> having(spec, Map.of("cpu", "2")));
    eventually(() -> assertThat(resource("a", "cpu")).isEqualTo("2"));
    assertThat(resource("a", "gpu")).isEqualTo("0");
    assertThat(condition("a", "Ready")).isEqualTo("True");
  }

  @Test
  void aBackEndThatCannotSayWhatANodeHasLeavesItAsItWas() {
    serve(spec("a"), spec("b"));
    ready("b");
    try (LogLines log = LogLines.of(GuardedNodes.class)) {
      provider.describes(
          "a",
          spec -> {
            throw new IllegalStateException("broken");
          });
      provider.describes("b", spec -> having(spec("other"), Map.of("cpu", "8")));
      eventually(
          () -> assertThat(log.withKey("error")).contains("broken", "it calls the node other"));
    }
    provider.becomes("b", false, "down");
    eventually(() -> assertThat(condition("b", "Ready")).isEqualTo("False"));
    assertThat(resource("b", "cpu")).isEqualTo("4");
  }

  /** virtual-kubelet PingAfterStatusUpdate: also as long as no write of a status is answered. */
  @Test
  @Tag("PingAfterStatusUpdate")
  void pingsGoOnWhileStatusesAreWritten() {
    register(spec("a"));
    Fault hanging = cluster.faults().on("patch", "nodes/status").hang();
    provider.becomes("a", false, "down");
    eventually(() -> assertThat(hanging.hits()).isPositive());
    int before = of("a").size();
    eventually(
        () -> {
          provider.becomes("a", false, "down " + of("a").size());
          assertThat(of("a")).hasSizeGreaterThan(before + 10);
        });
    assertThat(of("a")).containsOnly(new NodePinged("a", true, ""));
  }

  @Test
  void aConflictIsAnsweredByReadingAgain() {
    cluster.create("nodes", FOREIGN);
    Fault fault = cluster.faults().on("patch", "nodes").once().conflict();
    serve(spec("a", OWN));
    eventually(() -> assertThat(fault.hits()).isEqualTo(1));
    patiently(() -> assertThat(taints("a")).contains("virtual=yes:NoSchedule"));
    assertThat(cluster.server().count("get", "nodes")).isGreaterThan(1);
  }

  @Test
  void aServerThatFailsIsTriedAgain() {
    Fault fault = cluster.faults().on("create", "nodes").times(2).respond(500, "InternalError");
    serve(spec("a"));
    patiently(() -> assertThat(cluster.exists("nodes", "", "a")).isTrue());
    assertThat(fault.hits()).isEqualTo(2);
  }

  private record NodeError(String node, KubeException failure) {}

  private List<NodeError> handling(Supplier<Future<Void>> answer) {
    List<NodeError> errors = new CopyOnWriteArrayList<>();
    cluster.deploy(
        cluster
            .nodes(0, options(), List.of(spec("a")), provider, clock)
            .onError(
                (node, failure) -> {
                  errors.add(new NodeError(node, failure));
                  return answer.get();
                }));
    cluster.acquire("a");
    return errors;
  }

  /** virtual-kubelet WithNodeStatusUpdateErrorHandler: nil means one more try. */
  @Test
  void aHandledErrorIsTriedAgainAtOnce() {
    Fault fault = cluster.faults().on("create", "nodes").once().respond(422, "Invalid");

    List<NodeError> errors = handling(Future::succeededFuture);

    // the clock stands still, so no back-off ends
    ready("a");
    assertThat(fault.hits()).isEqualTo(1);
    assertThat(errors).extracting(NodeError::node).containsExactly("a");
    assertThat(errors.get(0).failure().kind()).isEqualTo(KubeException.Kind.INVALID);
  }

  @Test
  void anErrorThatIsHandledInVainIsTriedAgainWithBackOff() {
    Fault fault = cluster.faults().on("create", "nodes").times(4).respond(500, "InternalError");

    List<NodeError> errors = handling(Future::succeededFuture);

    eventually(() -> assertThat(fault.hits()).isEqualTo(2));
    cluster.settle();
    assertThat(errors).hasSize(1);
    patiently(() -> assertThat(cluster.exists("nodes", "", "a")).isTrue());
    assertThat(fault.hits()).isEqualTo(4);
    assertThat(errors).hasSize(2);
  }

  @Test
  void anErrorThatIsNotHandledIsTriedAgainWithBackOff() {
    Fault fault = cluster.faults().on("create", "nodes").times(2).respond(500, "InternalError");

    List<NodeError> errors =
        handling(
            () -> {
              throw new IllegalStateException("broken");
            });

    eventually(() -> assertThat(errors).hasSize(1));
    cluster.settle();
    assertThat(fault.hits()).isEqualTo(1);
    patiently(() -> assertThat(cluster.exists("nodes", "", "a")).isTrue());
    assertThat(errors).hasSize(2);
  }

  @Test
  void nothingIsWrittenWhileAnErrorIsHandled() {
    Promise<Void> answer = Promise.promise();
    Fault fault = cluster.faults().on("create", "nodes").once().respond(500, "InternalError");
    List<NodeError> errors = handling(answer::future);
    eventually(() -> assertThat(errors).hasSize(1));

    clock.advance(Duration.ofMinutes(1));
    nudge("a");
    cluster.settle();
    assertThat(cluster.writes("nodes")).isEqualTo(1);

    answer.complete();
    ready("a");
    assertThat(fault.hits()).isEqualTo(1);
  }

  /** The node controller counts a new lastHeartbeatTime, whatever the lease's renewTime is. */
  @Test
  void writesAHeartbeatWithEachBackdatedRenewal() {
    register(spec("a"));
    for (int renewal = 1; renewal <= 3; renewal++) {
      String before = heartbeat("a");
      long writes = cluster.writes("nodes");
      clock.advance(Duration.ofSeconds(10));
      cluster.publish(LEASE_BACKDATED, new LeaseBackdated("a"));
      eventually(() -> assertThat(heartbeat("a")).isGreaterThan(before));
      cluster.settle();
      assertThat(cluster.writes("nodes")).isEqualTo(writes + 1);
    }
  }

  private String heartbeat(String node) {
    return FakeCluster.find(cluster.node(node).at("/status/conditions"), "type", "Ready")
        .path("lastHeartbeatTime")
        .asText();
  }

  @Test
  void aMissingNodeIsNoError() {
    List<NodeError> errors = handling(Future::succeededFuture);
    ready("a");
    cluster.delete("nodes", "", "a");
    cluster.publish(LEASE_LOST, new LeaseLost("a", "test"));
    cluster.publish(LEASE_ACQUIRED, new LeaseAcquired("a", 1));

    eventually(() -> assertThat(registered).hasSize(2));
    assertThat(errors).isEmpty();
  }

  @Test
  void aSelfManagedNodeIsReadAndNeverWritten() {
    cluster.create("nodes", FOREIGN);
    cluster.deploy(
        new NodeVerticle(
            0,
            new NodeSettings(List.of(), name -> spec(name), name -> options(), name -> List.of()),
            provider,
            Future.succeededFuture(Map.of()),
            cluster.kube(),
            cluster.bus(),
            cluster.env(clock)));
    cluster.publish(NODE_ADOPTED.shard(0), new NodeAdopted("a", true));
    eventually(() -> assertThat(pinged).contains(new NodePinged("a", true, "")));
    cluster.acquire("a");

    eventually(() -> assertThat(registered).containsExactly(new NodeRegistered("a", uid("a"))));
    provider.becomes("a", false, "down");
    clock.advance(Duration.ofHours(1));
    nudge("a");
    cluster.settle();
    assertThat(cluster.writes("nodes")).isZero();
    assertThat(events).isEmpty();
  }

  @Test
  void aRefusedNodeIsTriedSlowlyAndComplainedOfOnce() {
    Fault fault = cluster.faults().on("create", "nodes").respond(422, "Invalid");
    try (LogLines log = LogLines.of(NodeVerticle.class)) {
      serve(spec("a"));
      eventually(() -> assertThat(log.withKey("error")).hasSize(1));
      clock.advance(Duration.ofSeconds(29));
      nudge("a");
      assertThat(fault.hits()).isEqualTo(1);
      clock.advance(Duration.ofSeconds(2));
      nudge("a");
      eventually(() -> assertThat(fault.hits()).isEqualTo(2));
      fault.lift();
      patiently(() -> assertThat(cluster.exists("nodes", "", "a")).isTrue());
      assertThat(log.withKey("error")).singleElement().asString().contains("create", "Invalid");
    }
  }

  @Test
  @Tag("2.4-15")
  @Tag("C75")
  void oneSickBackEndMakesOnlyItsOwnNodeNotReady() {
    serve(spec("a"), spec("b"));
    ready("a");
    ready("b");
    provider.becomes("a", false, "disk on fire");
    eventually(() -> assertThat(condition("a", "Ready")).isEqualTo("False"));
    assertThat(message("a")).isEqualTo("disk on fire");
    assertThat(condition("b", "Ready")).isEqualTo("True");
    eventually(
        () -> assertThat(changed).contains(new NodeStatusChanged("a", false, "disk on fire")));
    assertThat(changed).noneMatch(change -> change.node().equals("b") && !change.ready());
    provider.becomes("a", false, "disk is gone");
    eventually(
        () -> assertThat(changed).contains(new NodeStatusChanged("a", false, "disk is gone")));
  }

  @Test
  void aBackEndThatCannotSayHowANodeIsMakesOnlyThatNodeNotReady() {
    serve(spec("a"), spec("b"));
    ready("a");
    ready("b");
    provider.cannotTell("a", new IllegalStateException("broken"));
    eventually(() -> assertThat(condition("a", "Ready")).isEqualTo("False"));
    assertThat(message("a")).isEqualTo("the provider's health check failed: broken");
    provider.becomes("b", true, "");
    assertThat(condition("b", "Ready")).isEqualTo("True");
  }

  @Test
  @Tag("2.4-7")
  @Tag("NodePingSingleInflight")
  void aPingThatHangsFailsInTimeAndIsNotRepeatedWhileItHangs() {
    Promise<Void> answer = Promise.promise();
    provider.answerPings("a", answer::future);
    deploy(spec("a"), spec("b"));
    eventually(() -> assertThat(pinged).extracting(NodePinged::node).contains("a", "b"));
    int rounds = provider.pings("b");
    eventually(() -> assertThat(provider.pings("b")).isGreaterThan(rounds + 3));
    assertThat(of("a")).containsExactly(new NodePinged("a", false, "no answer within 60 ms"));
    assertThat(of("b")).hasSizeGreaterThan(1).containsOnly(new NodePinged("b", true, ""));
    assertThat(provider.pings("a")).isEqualTo(1);
    answer.complete();
    provider.answerPings("a", Future::succeededFuture);
    eventually(() -> assertThat(of("a")).contains(new NodePinged("a", true, "")));
  }

  static Stream<Arguments> failingPings() {
    RuntimeException broken = new IllegalStateException("broken");
    Supplier<Future<Void>> throwing =
        () -> {
          throw broken;
        };
    Supplier<Future<Void>> failing = () -> Future.failedFuture(broken);
    Supplier<Future<Void>> silent = () -> Future.failedFuture(new IllegalStateException());
    return Stream.of(
        Arguments.of("throws", throwing, "broken"),
        Arguments.of("fails", failing, "broken"),
        Arguments.of("fails without a word", silent, "IllegalStateException"));
  }

  /** virtual-kubelet NotReadyError: whatever a ping fails with, the node counts as not alive. */
  @ParameterizedTest(name = "a ping {0}")
  @MethodSource("failingPings")
  @Tag("NotReadyError")
  void aBackEndWhosePingFailsHarmsOnlyItsOwnNode(
      String how, Supplier<Future<Void>> ping, String problem) {
    provider.answerPings("a", ping);
    deploy(spec("a"), spec("b"));
    eventually(() -> assertThat(of("a")).containsOnly(new NodePinged("a", false, problem)));
    int rounds = provider.pings("b");
    eventually(() -> assertThat(provider.pings("b")).isGreaterThan(rounds + 3));
    provider.answerPings("a", Future::succeededFuture);
    eventually(() -> assertThat(of("a")).contains(new NodePinged("a", true, "")));
  }

  @Test
  void writesNothingOnceTheLeaseIsLost() {
    register(spec("a"));
    cluster.publish(LEASE_LOST, new LeaseLost("a", "test"));
    cluster.server().log().clear();
    provider.becomes("a", false, "disk on fire");
    cluster.settle();
    assertThat(cluster.writes("nodes")).isZero();
  }

  @Test
  @Tag("C75")
  void c75OneProviderThatIsDownTakesOnlyItsOwnNodesAlong() {
    List<NodeSpec> healthy = IntStream.range(0, 90).mapToObj(i -> spec("well-" + i)).toList();
    List<NodeSpec> others = IntStream.range(0, 10).mapToObj(i -> spec("sick-" + i)).toList();
    FakeNodes sick = new FakeNodes();
    serve(healthy.toArray(NodeSpec[]::new));
    serve(1, sick, others.toArray(NodeSpec[]::new));
    eventually(() -> assertThat(changed).hasSize(100));

    others.forEach(node -> sick.becomes(node.name(), false, "container runtime is down"));
    eventually(() -> assertThat(changed).hasSize(110));
    cluster.settle();
    for (NodeSpec node : healthy) {
      assertThat(condition(node.name(), "Ready")).isEqualTo("True");
    }
    for (NodeSpec node : others) {
      assertThat(condition(node.name(), "Ready")).isEqualTo("False");
    }
    assertThat(pinged).as("leases go on").allMatch(NodePinged::ok);
  }

  /** As configuration that changes while the agent runs. */
  @Test
  void aNodeIsWhatItIsConfiguredToBeFromNowOn() {
    Map<String, NodeSpec> specs = new ConcurrentHashMap<>(Map.of("a", spec("a"), "b", spec("b")));
    Map<String, NodeOptions> options = new ConcurrentHashMap<>();
    options.put(
        "a",
        new NodeOptions("me", Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofMinutes(1)));
    options.put("b", options());
    Map<String, List<String>> declared = new ConcurrentHashMap<>();
    declared.put("a", List.of("A"));
    declared.put("b", List.of());
    cluster.deploy(
        new NodeVerticle(
            0,
            new NodeSettings(List.of("a", "b"), specs::get, options::get, declared::get),
            provider,
            Future.succeededFuture(Map.of("a", new KubeletEndpoint(10250, List.of("B")))),
            cluster.kube(),
            cluster.bus(),
            cluster.env(clock)));
    List.of("a", "b").forEach(n -> cluster.acquire(n));
    ready("a");
    ready("b");
    List<NodePinged> pings = cluster.hear(NODE_PINGED);
    assertThat(features("a")).containsExactly("A", "B");
    assertThat(features("b")).isEmpty();

    specs.put("a", having(spec("a"), Map.of("pods", "7")));
    options.put("a", options());
    declared.put("a", List.of("A", "C"));
    cluster.publish(NODE_CONFIGURED.shard(0), new NodeConfigured("a"));

    eventually(
        () -> assertThat(cluster.node("a").at("/status/capacity/pods").asText()).isEqualTo("7"));
    eventually(
        () -> assertThat(pings).filteredOn(ping -> ping.node().equals("a")).hasSizeGreaterThan(1));
    assertThat(cluster.node("b").at("/status/capacity/pods").asText()).isNotEqualTo("7");
    eventually(() -> assertThat(features("a")).containsExactly("A", "B", "C"));
    assertThat(condition("a", "Ready")).isEqualTo("True");
  }

  private List<String> features(String node) {
    List<String> features = new ArrayList<>();
    cluster.node(node).at("/status/declaredFeatures").forEach(one -> features.add(one.asText()));
    return features;
  }

  private String serve(int shard, FakeNodes backing, NodeSpec... specs) {
    String deployment = deploy(shard, backing, specs);
    for (NodeSpec spec : specs) {
      cluster.acquire(spec.name());
    }
    return deployment;
  }

  private String serve(NodeSpec... specs) {
    return serve(0, provider, specs);
  }

  private String deploy(NodeSpec... specs) {
    return deploy(0, provider, specs);
  }

  private String deploy(int shard, FakeNodes backing, NodeSpec... specs) {
    return cluster.deploy(cluster.nodes(shard, options(), List.of(specs), backing, clock));
  }

  private void register(NodeSpec spec) {
    serve(spec);
    ready(spec.name());
  }

  private void watch() {
    cluster.deploy(
        new NodeWatchVerticle(
            options(), new Shards(1), cluster.kube(), cluster.bus(), new Random(1)));
  }

  private static NodeOptions options() {
    Duration interval = Duration.ofMillis(20);
    return new NodeOptions("me", Duration.ofMinutes(5), interval, interval.multipliedBy(3));
  }

  private static NodeSpec spec(String name, TaintView... taints) {
    return NodeSpecs.having(name, NodeSpecs.CAPACITY, taints);
  }

  private void ready(String node) {
    eventually(() -> assertThat(changed).contains(new NodeStatusChanged(node, true, "")));
  }

  /** Waits while time passes for the verticle, back-offs and all. */
  private void patiently(ThrowingRunnable assertion) {
    eventually(
        () -> {
          clock.advance(Duration.ofSeconds(30));
          nudge("a");
          assertion.run();
        });
  }

  /** Makes the verticle look at the clock again. */
  private void nudge(String node) {
    provider.becomes(node, true, "");
    cluster.settle();
  }

  private List<NodePinged> of(String node) {
    return pinged.stream().filter(ping -> ping.node().equals(node)).toList();
  }

  private String uid(String node) {
    return cluster.node(node).at("/metadata/uid").asText();
  }

  private String condition(String node, String type) {
    return conditionOf(node, type).path("status").asText();
  }

  /** Why the node is not ready. */
  private String message(String node) {
    return conditionOf(node, "Ready").path("message").asText();
  }

  private JsonNode conditionOf(String node, String type) {
    return FakeCluster.find(cluster.node(node).at("/status/conditions"), "type", type);
  }

  /** How much of it the node has, all of which pods may use. */
  private String resource(String node, String resource) {
    JsonNode status = cluster.node(node).path("status");
    String amount = status.path("capacity").path(resource).asText();
    assertThat(status.path("allocatable").path(resource).asText()).isEqualTo(amount);
    return amount;
  }

  private static NodeSpec having(NodeSpec spec, Map<String, String> resources) {
    Map<String, String> all = new HashMap<>(NodeSpecs.CAPACITY);
    all.putAll(resources);
    return NodeSpecs.withCapacity(spec, all);
  }

  private List<String> taints(String node) {
    List<String> taints = new ArrayList<>();
    for (JsonNode taint : cluster.node(node).at("/spec/taints")) {
      String value = taint.path("value").asText();
      taints.add(taint.path("key").asText() + "=" + value + ":" + taint.path("effect").asText());
    }
    return taints;
  }
}
