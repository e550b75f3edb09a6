package dev.vertlet.status;

import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.MIRROR_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_DELETION;
import static dev.vertlet.bus.Addresses.POD_ENQUEUED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_REPORTED;
import static dev.vertlet.bus.Addresses.STATIC_POD_OBSERVED;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.apiserver.fault.FaultScript;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.PodDeletion;
import dev.vertlet.bus.PodEnqueued;
import dev.vertlet.bus.PodGone;
import dev.vertlet.bus.PodObserved;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.StaticPodObserved;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.LogLines;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.TestPods;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusVerticleTest {
  private static final String NODE = "node";
  private static final int WINDOW = 64;

  @AutoClose private final FakeCluster cluster = FakeCluster.start();

  @Test
  void aBurstOfReportsBecomesOneWriteOfTheNewest() {
    // reports of one turn of the loop that the verticle lives on, as its shard makes them
    Context loop = cluster.vertx().getOrCreateContext();
    cluster.deployOn(loop, verticle(false));
    acquire();
    PodRef pod = observe("a");
    loop.runOnContext(
        v -> {
          for (int i = 1; i <= 50; i++) {
            report(pod, running("message " + i), false);
          }
        });
    eventually(() -> assertThat(message("a")).isEqualTo("message 50"));
    cluster.settle();
    assertThat(patches()).isEqualTo(1);
  }

  @Test
  @Tag("C65")
  void theNewestOfTheReportsThatComeDuringAWriteIsWrittenNext() {
    serve();
    PodRef pod = observe("a");
    Fault slow = cluster.faults().on("patch", "pods/status").once().delay(Duration.ofMillis(500));
    report(pod, running("first"), false);
    eventually(() -> assertThat(slow.hits()).isEqualTo(1));
    for (int i = 1; i <= 10; i++) {
      report(pod, running("message " + i), false);
    }
    eventually(() -> assertThat(message("a")).isEqualTo("message 10"));
    assertThat(patches()).isEqualTo(2);
  }

  @Test
  void ofWhatWaitsForThePlaceOfAnotherPodOnlyTheNewestIsWritten() {
    cluster.deploy(verticle(false, 1));
    acquire();
    PodRef a = observe("a");
    PodRef b = observe("b");
    Fault slow = cluster.faults().on("patch", "pods/status").once().delay(Duration.ofMillis(500));
    report(a, running("of a"), false);
    eventually(() -> assertThat(slow.hits()).isEqualTo(1));
    for (int i = 1; i <= 10; i++) {
      report(b, running("message " + i), false);
      observe("b");
    }
    eventually(() -> assertThat(message("b")).isEqualTo("message 10"));
    assertThat(writesOf("b")).containsExactly("patch");
  }

  /** So that half of a burst of deletions is over when half of its writes are. */
  @Test
  void aPodWhoseFinalStatusIsWrittenGoesBeforeOthersAreWritten() {
    cluster.deploy(verticle(false, 1));
    acquire();
    List<PodRef> pods = Stream.of("a", "b", "c").map(this::observe).toList();
    Fault slow = cluster.faults().on("patch", "pods/status").once().delay(Duration.ofMillis(500));
    for (PodRef pod : pods) {
      cluster.delete("pods", "default", pod.name());
      observe(pod.name());
      report(pod, ended(), true);
    }
    eventually(() -> assertThat(cluster.exists("pods", "default", "c")).isFalse());
    assertThat(slow.hits()).isEqualTo(1);
    assertThat(
            cluster.server().requests().stream()
                .filter(request -> Set.of("patch", "delete").contains(request.verb()))
                .map(request -> request.verb() + " " + request.name()))
        .endsWith("patch a", "delete a", "patch b", "delete b", "patch c", "delete c");
  }

  @Test
  void writesNothingThatTheServerAlreadyHolds() {
    serve();
    PodRef pod = observe("a");
    report(pod, running("same"), false);
    eventually(() -> assertThat(message("a")).isEqualTo("same"));
    observe("a");
    report(pod, running("same"), false);
    proveIdle();
    assertThat(writesOf("a")).containsExactly("patch");
  }

  @Test
  @Tag("2.4-5")
  @Tag("C71")
  void aConditionOfSomebodyElseSurvives() {
    serve();
    cluster.createPod("a", NODE);
    String foreign =
        """
        {"metadata": {"labels": {"team": "x"}},
         "status": {"conditions": [{"type": "Gate", "status": "True", "reason": "Open"}]}}
        """;
    cluster.patchStatus("pods", "default", "a", foreign);
    PodRef pod = observe("a");
    String other = foreign.replace("Gate", "Late");
    cluster.patchStatus("pods", "default", "a", other);
    report(pod, running("new"), false);
    eventually(() -> assertThat(message("a")).isEqualTo("new"));
    JsonNode conditions = cluster.pod("a").at("/status/conditions");
    assertThat(conditions.findValuesAsText("type")).contains("Gate", "Late", "Ready");
    assertThat(patches()).isEqualTo(1);
  }

  /**
   * virtual-kubelet 2.4-5: of two reports one after the other, with a change by somebody else in
   * between, each is written once. One that had met a conflict would have been written again.
   */
  @Test
  @Tag("2.4-5")
  void reportsInQuickSuccessionMeetNoConflict() {
    serve();
    PodRef pod = observe("a");
    Fault slow = cluster.faults().on("patch", "pods/status").once().delay(Duration.ofMillis(500));
    Fault strict =
        cluster
            .faults()
            .on("patch", "pods/status")
            .where(request -> request.json().path("metadata").has("resourceVersion"))
            .conflict();

    report(pod, running("first"), false);
    eventually(() -> assertThat(slow.hits()).isEqualTo(1));
    cluster.label("a", "unseen", "yes");
    report(pod, running("second"), false);

    eventually(() -> assertThat(message("a")).isEqualTo("second"));
    proveIdle();
    assertThat(writesOf("a")).containsExactly("patch", "patch");
    assertThat(strict.hits()).isZero();
  }

  /**
   * virtual-kubelet UpdatePodStatusUsesKubernetesResourceVersion: a provider knows no version, and
   * the one that was seen may be old; UpdatePodStatusRejectsZeroResourceVersion: nor is it made up.
   */
  @Test
  @Tag("UpdatePodStatusRejectsZeroResourceVersion")
  @Tag("UpdatePodStatusUsesKubernetesResourceVersion")
  void aStatusIsWrittenWithoutAVersionToWhateverVersionThePodHas() {
    serve();
    PodRef pod = observe("a");
    cluster.label("a", "unseen", "yes");
    Fault strict =
        cluster
            .faults()
            .on("patch", "pods/status")
            .where(request -> request.json().path("metadata").has("resourceVersion"))
            .conflict();
    report(pod, running("first"), false);
    eventually(() -> assertThat(message("a")).isEqualTo("first"));
    cluster.label("a", "unseen", "twice");
    report(pod, running("second"), false);
    eventually(() -> assertThat(message("a")).isEqualTo("second"));
    assertThat(strict.hits()).isZero();
    assertThat(writesOf("a")).containsExactly("patch", "patch");
    assertThat(body("patch", "a").at("/metadata/uid").asText()).isEqualTo(pod.uid());
  }

  @Test
  @Tag("UpdatePodStatusWithNilProviderStatus")
  void aPodOfWhichNothingWasReportedIsLeftAlone() {
    serve();
    observe("a");
    cluster.label("a", "color", "red");
    observe("a");
    cluster.delete("pods", "default", "a");
    observe("a");
    proveIdle();
    assertThat(writesOf("a")).isEmpty();
    assertThat(cluster.exists("pods", "default", "a")).isTrue();
  }

  @Test
  @Tag("C14")
  void aStatusThatSomebodyElseOverwroteIsWrittenOnceMore() {
    serve();
    PodRef pod = observe("a");
    report(pod, running("mine"), false);
    eventually(() -> assertThat(message("a")).isEqualTo("mine"));
    String patch = "{\"status\": {\"message\": \"theirs\"}}";
    cluster.patchStatus("pods", "default", "a", patch);
    observe("a");
    eventually(() -> assertThat(message("a")).isEqualTo("mine"));
    assertThat(patches()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  @Tag("C65")
  void aStatusThatCouldNotBeWrittenLands(Trouble trouble) {
    serve();
    PodRef pod = observe("a");
    Fault fault =
        trouble.script.apply(cluster.faults().on("patch", "pods/status").times(trouble.times));
    report(pod, running("older"), false);
    eventually(() -> assertThat(fault.hits()).isPositive());
    report(pod, running("newest"), false);
    eventually(() -> assertThat(message("a")).isEqualTo("newest"));
    assertThat(fault.hits()).isEqualTo(trouble.times);
  }

  enum Trouble {
    SERVER_ERROR(3, script -> script.respond(500, "InternalError")),
    CONFLICT(3, FaultScript::conflict),
    THROTTLED(1, script -> script.throttle(1)),
    RESET(3, FaultScript::reset),
    CUT(2, FaultScript::cut),
    ANSWER_LOST(1, FaultScript::loseAnswer);

    final int times;
    final Function<FaultScript, Fault> script;

    Trouble(int times, Function<FaultScript, Fault> script) {
      this.times = times;
      this.script = script;
    }
  }

  @Test
  void aStatusForAPodThatWasReplacedEndsQuietly() {
    serve();
    PodRef pod = observe("a");
    cluster.deleteNow("pods", "default", "a");
    cluster.createPod("a", NODE);
    try (LogLines log = LogLines.of(StatusWriter.class)) {
      report(pod, running("old"), false);
      eventually(() -> assertThat(cluster.server().count("get", "pods")).isEqualTo(1));
      report(pod, running("older"), true);
      proveIdle();
      assertThat(log.messages()).noneMatch(line -> line.contains("refuses"));
    }
    assertThat(message("a")).isEmpty();
    assertThat(cluster.server().count(request -> ofPod(request, "a") && request.isWrite()))
        .isEqualTo(1);
  }

  @Test
  void aStatusThatTheServerRefusesIsComplainedOfOnceAndTheNextOneIsWritten() {
    serve();
    PodRef pod = observe("a");
    cluster.faults().on("patch", "pods/status").once().respond(422, "Invalid");
    try (LogLines log = LogLines.of(StatusWriter.class)) {
      report(pod, running("bad"), false);
      eventually(
          () -> assertThat(log.messages()).contains("the API server refuses the pod's status"));
      eventually(
          () ->
              assertThat(metric("vertlet_pod_statuses_not_written_total", "reason", "refused"))
                  .isEqualTo(1));
      report(pod, running("good"), false);
      eventually(() -> assertThat(message("a")).isEqualTo("good"));
    }
  }

  @Test
  @Tag("2.4-2")
  void aDeletedPodGoesAsSoonAsItHasEndedAfterItsFinalStatus() {
    serve();
    PodRef pod = observe("a");
    cluster.delete("pods", "default", "a");
    observe("a");
    report(pod, ended(), true);
    eventually(() -> assertThat(cluster.exists("pods", "default", "a")).isFalse());
    assertThat(writesOf("a")).containsExactly("patch", "delete");
    assertThat(body("delete", "a").at("/preconditions/uid").asText()).isEqualTo(pod.uid());
    assertThat(body("delete", "a").path("gracePeriodSeconds").asInt()).isZero();
  }

  @Test
  void aBriefVerticleSkipsTheFinalStatus() {
    cluster.deploy(verticle(true));
    acquire();
    PodRef pod = observe("a");
    cluster.delete("pods", "default", "a");
    observe("a");
    report(pod, ended(), true);
    eventually(() -> assertThat(cluster.exists("pods", "default", "a")).isFalse());
    assertThat(writesOf("a")).containsExactly("delete");
  }

  @Test
  void aPodThatEndedByItselfStaysUntilSomebodyDeletesIt() {
    serve();
    PodRef pod = observe("a");
    report(pod, ended(), true);
    eventually(() -> assertThat(phase("a")).isEqualTo("Succeeded"));
    proveIdle();
    assertThat(cluster.exists("pods", "default", "a")).isTrue();
  }

  @Test
  void aDeleteNeverHitsANamesake() {
    serve();
    PodRef pod = observe("a");
    cluster.delete("pods", "default", "a");
    observe("a");
    Fault fault = cluster.faults().on("delete", "pods").once().respond(500, "InternalError");
    report(pod, ended(), true);
    eventually(() -> assertThat(fault.hits()).isEqualTo(1));
    cluster.deleteNow("pods", "default", "a");
    cluster.createPod("a", NODE);
    eventually(() -> assertThat(cluster.server().count("get", "pods")).isEqualTo(1));
    proveIdle();
    assertThat(cluster.exists("pods", "default", "a")).isTrue();
  }

  @Test
  @Tag("C37")
  void nothingIsWrittenForAPodThatIsGone() {
    serve();
    PodRef pod = observe("a");
    cluster.deleteNow("pods", "default", "a");
    cluster.publish(POD_GONE.shard(0), new PodGone(pod));
    report(pod, ended(), true);
    proveIdle();
    assertThat(writesOf("a")).isEmpty();
  }

  @Test
  void nothingIsWrittenWithoutTheLease() {
    cluster.deploy(verticle(false));
    PodRef pod = observe("a");
    report(pod, running("too early"), false);
    acquire();
    cluster.publish(LEASE_LOST, new LeaseLost(NODE, "test"));
    report(pod, running("too late"), false);
    acquire();
    proveIdle();
    assertThat(writesOf("a")).isEmpty();
    report(pod, running("in time"), false);
    eventually(() -> assertThat(message("a")).isEqualTo("in time"));
  }

  @Test
  void whatWaitsForItsTurnIsNotWrittenOnceTheLeaseIsLost() {
    serve();
    PodRef first = observe("a");
    PodRef second = observe("b");
    // a 429 keeps everything in its lane for a second
    cluster.faults().on("patch", "pods/status").once().throttle(1);
    report(first, running("throttled"), false);
    eventually(() -> assertThat(metric("rest_client_throttle_pauses_total")).isEqualTo(1));
    report(second, running("waiting"), false);
    eventually(
        () -> assertThat(metric("rest_client_queue_depth", "lane", "pod_status")).isEqualTo(1));
    cluster.publish(LEASE_LOST, new LeaseLost(NODE, "test"));
    get(cluster.kube().send(KubeRequest.get(Lane.REST, KubePath.pod("default", "b"))));
    assertThat(writesOf("b")).isEmpty();
  }

  @Test
  void whatWaitsForTheLimitOfItsNodeTakesNoPlaceOfAnother() {
    cluster.kube().limit("limited", 1, 1);
    cluster.deploy(verticle(false, 1));
    acquire();
    cluster.acquire("limited");
    for (int i = 0; i < 5; i++) {
      report(observe("l" + i, "limited"), "limited", running("limited"), false);
    }

    report(observe("a"), running("free"), false);

    eventually(() -> assertThat(message("a")).isEqualTo("free"));
    assertThat(message("l4")).as("after four seconds").isEmpty();
    eventually(() -> assertThat(message("l1")).as("in its turn").isEqualTo("limited"));
  }

  @Test
  void leavingWaitsForWhatIsPendingAndInFlight() {
    String deployment = serve();
    PodRef a = observe("a");
    PodRef b = observe("b");
    cluster.faults().on("patch", "pods/status").named("a").delay(Duration.ofMillis(100));
    report(a, running("last of a"), false);
    report(b, running("last of b"), false);
    cluster.undeploy(deployment);
    assertThat(message("a")).isEqualTo("last of a");
    assertThat(message("b")).isEqualTo("last of b");
  }

  @Test
  void leavingWritesTheReportThatCameDuringAWrite() {
    String deployment = serve();
    PodRef pod = observe("a");
    Fault slow = cluster.faults().on("patch", "pods/status").once().delay(Duration.ofMillis(500));
    report(pod, running("first"), false);
    eventually(() -> assertThat(slow.hits()).isEqualTo(1));
    report(pod, running("newest"), false);
    cluster.undeploy(deployment);
    assertThat(message("a")).isEqualTo("newest");
  }

  @Test
  void leavingDoesNotWaitForAServerThatRefuses() {
    String deployment = serve();
    PodRef pod = observe("a");
    Fault fault = cluster.faults().on("patch", "pods/status").respond(500, "InternalError");
    report(pod, running("lost"), false);
    eventually(() -> assertThat(fault.hits()).isPositive());
    cluster.undeploy(deployment);
    assertThat(message("a")).isEmpty();
  }

  /** virtual-kubelet's DeletePodsFromKubernetesEnqueue. */
  @Test
  void deletesTheObjectOfARunningPodWhenThatIsEnqueued() {
    serve();
    PodRef pod = observe("a");
    cluster.publish(POD_DELETION.shard(0), new PodDeletion(pod, true));
    eventually(() -> assertThat(cluster.exists("pods", "default", "a")).isFalse());

    // not that of another pod with its name
    cluster.createPod("a", NODE);
    cluster.publish(POD_DELETION.shard(0), new PodDeletion(pod, true));
    proveIdle();
    assertThat(cluster.exists("pods", "default", "a")).isTrue();
  }

  @Test
  void deletesNothingOfANodeThatIsNotServed() {
    cluster.deploy(verticle(false));
    PodRef pod = observe("a");
    cluster.publish(POD_DELETION.shard(0), new PodDeletion(pod, true));
    acquire();
    proveIdle();
    assertThat(cluster.exists("pods", "default", "a")).isTrue();
  }

  /** virtual-kubelet's ShouldRetryFunc: the pod, the number of tries and their age. */
  @Test
  void aPolicyIsToldOfThePodAndItsTries() {
    List<FailedTry> asked = new CopyOnWriteArrayList<>();
    RetryPolicy twice =
        (failed, random) -> {
          asked.add(failed);
          return failed.tries() < 2 ? Optional.of(Duration.ZERO) : Optional.empty();
        };
    Fault fault = cluster.faults().on("patch", "pods/status").respond(500, "InternalError");
    cluster.deploy(verticle(false).retries(new StatusRetries(twice, StatusRetries.ENDLESS)));
    acquire();
    PodRef pod = observe("a");
    report(pod, ended(), false);

    eventually(() -> assertThat(asked).hasSize(2));
    assertThat(asked).extracting(FailedTry::pod).containsOnly(pod);
    assertThat(asked).extracting(FailedTry::tries).containsExactly(1, 2);
    assertThat(asked.get(1).elapsed()).isGreaterThan(asked.get(0).elapsed());
    eventually(
        () ->
            assertThat(metric("vertlet_pod_statuses_not_written_total", "reason", "given_up"))
                .isEqualTo(1));
    fault.lift();
    cluster.publish(POD_ENQUEUED.shard(0), new PodEnqueued(pod));
    eventually(() -> assertThat(phase("a")).isEqualTo("Succeeded"));
  }

  private double metric(String name, String... tags) {
    return cluster.metrics().find(name).tags(tags).meters().stream()
        .mapToDouble(meter -> meter.measure().iterator().next().getValue())
        .sum();
  }

  private StatusVerticle verticle(boolean brief) {
    return verticle(brief, WINDOW);
  }

  private StatusVerticle verticle(boolean brief, int window) {
    return new StatusVerticle(
        0, brief, window, cluster.kube(), cluster.bus(), cluster.env(Clock.systemUTC()));
  }

  private String serve() {
    String deployment = cluster.deploy(verticle(false));
    acquire();
    return deployment;
  }

  private void acquire() {
    cluster.acquire(NODE);
  }

  /** Shows the verticle the pod as it is now; makes it when there is none. */
  private PodRef observe(String name) {
    return observe(name, NODE);
  }

  private PodRef observe(String name, String node) {
    if (!cluster.exists("pods", "default", name)) {
      cluster.createPod(name, node);
    }
    PodObserved message = new PodObserved(cluster.view(name));
    cluster.publish(POD_OBSERVED.shard(0), message);
    return message.pod().ref();
  }

  private void report(PodRef pod, PodStatusView status, boolean finished) {
    report(pod, NODE, status, finished);
  }

  private void report(PodRef pod, String node, PodStatusView status, boolean finished) {
    cluster.bus().send(POD_REPORTED.shard(0), new PodReport(pod, node, status, finished));
  }

  /**
   * What was sent to the verticle before has been handled, with its requests, when this returns.
   */
  private void proveIdle() {
    String name = "proof-" + cluster.server().requests().size();
    report(observe(name), running("proof"), false);
    eventually(() -> assertThat(message(name)).isEqualTo("proof"));
  }

  private static PodStatusView running(String message) {
    return status(PodPhase.RUNNING, message, "True");
  }

  private static PodStatusView ended() {
    return status(PodPhase.SUCCEEDED, "", "False");
  }

  private static PodStatusView status(PodPhase phase, String message, String ready) {
    return Statuses.in(phase).why(null, message).condition("Ready", ready).build();
  }

  private String message(String pod) {
    return cluster.pod(pod).at("/status/message").asText();
  }

  private String phase(String pod) {
    return cluster.pod(pod).at("/status/phase").asText();
  }

  private long patches() {
    return cluster.server().count("patch", "pods/status");
  }

  private static boolean ofPod(ApiRequest request, String pod) {
    return request.resource().equals("pods") && request.name().equals(pod);
  }

  private List<String> writesOf(String pod) {
    return cluster.server().requests().stream()
        .filter(request -> ofPod(request, pod) && request.isWrite())
        .map(ApiRequest::verb)
        .toList();
  }

  /** Of the first request of this kind. */
  private JsonNode body(String verb, String pod) {
    return cluster.server().requests().stream()
        .filter(request -> ofPod(request, pod) && request.verb().equals(verb))
        .findFirst()
        .orElseThrow()
        .json();
  }

  /** kubelet §11.4: the status of a static pod goes to its mirror, whichever comes first. */
  @Test
  void aStaticPodIsShownByItsMirrorAndByTheNextOne() {
    serve();
    PodRef web = new PodRef("default", "web", "uid-web");
    manifest("web");
    report(web, running("early"), false);
    mirror("web");
    eventually(() -> assertThat(message("web")).isEqualTo("early"));
    report(web, running("later"), false);
    eventually(() -> assertThat(message("web")).isEqualTo("later"));
    PodRef first = cluster.view("web").ref();
    cluster.deleteNow("pods", "default", "web");
    cluster.publish(POD_GONE.shard(0), new PodGone(first));
    mirror("web");
    eventually(() -> assertThat(message("web")).isEqualTo("later"));
  }

  @Test
  void aMirrorIsNotRemovedByWhoWritesItsStatus() {
    serve();
    PodRef web = new PodRef("default", "web", "uid-web");
    manifest("web");
    mirror("web");
    cluster.delete("pods", "default", "web");
    cluster.publish(MIRROR_OBSERVED.shard(0), new PodObserved(cluster.view("web")));
    report(web, ended(), true);
    eventually(() -> assertThat(cluster.view("web").status().phase().terminal()).isTrue());
    proveIdle();
    assertThat(cluster.exists("pods", "default", "web")).isTrue();
  }

  /** kubelet §2.2: somebody else's status is put right; phases of mirrors are no exception. */
  @Test
  void aMirrorShowsItsStaticPodWhateverOthersWrite() {
    serve();
    manifest("web");
    mirror("web");
    report(new PodRef("default", "web", "uid-web"), running("mine"), false);
    eventually(() -> assertThat(message("web")).isEqualTo("mine"));
    cluster.patchStatus("pods", "default", "web", "{\"status\": {\"phase\": \"Failed\"}}");
    cluster.publish(MIRROR_OBSERVED.shard(0), new PodObserved(cluster.view("web")));
    eventually(() -> assertThat(cluster.view("web").status().phase()).isEqualTo(PodPhase.RUNNING));
  }

  /** A pod that had ended before the agent came is never reported. */
  @Test
  void theNextMirrorOfAPodThatHadEndedShowsItToo() {
    serve();
    manifest("web");
    mirror("web");
    cluster.patchStatus("pods", "default", "web", "{\"status\": {\"phase\": \"Succeeded\"}}");
    cluster.publish(MIRROR_OBSERVED.shard(0), new PodObserved(cluster.view("web")));
    PodRef first = cluster.view("web").ref();
    cluster.deleteNow("pods", "default", "web");
    cluster.publish(POD_GONE.shard(0), new PodGone(first));
    mirror("web");
    eventually(
        () -> assertThat(cluster.view("web").status().phase()).isEqualTo(PodPhase.SUCCEEDED));
  }

  private void manifest(String name) {
    PodView view = TestPods.pod(name).at(0).view();
    cluster.publish(STATIC_POD_OBSERVED.shard(0), new StaticPodObserved(view, Buffer.buffer("{}")));
  }

  private void mirror(String name) {
    ObjectNode mirror = Manifests.pod(name, NODE);
    ((ObjectNode) mirror.path("metadata"))
        .putObject("annotations")
        .put("kubernetes.io/config.mirror", "uid-" + name);
    cluster.create("pods", mirror);
    cluster.publish(MIRROR_OBSERVED.shard(0), new PodObserved(cluster.view(name)));
  }
}
