package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_QUERY;
import static dev.vertlet.bus.Addresses.POD_REPORTED;
import static dev.vertlet.bus.Addresses.STATIC_POD_ENDED;
import static dev.vertlet.bus.Addresses.STATIC_POD_OBSERVED;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodObserved;
import dev.vertlet.bus.PodQuery;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.PodsSynced;
import dev.vertlet.bus.StaticPodEnded;
import dev.vertlet.bus.StaticPodObserved;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.FakeProvider;
import dev.vertlet.testing.TestPods;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pod watch and pod sync together, between an API server and a back end. */
class PodSyncVerticleTest {
  private static final String NODE = "node";

  private final FakeProvider provider = new FakeProvider();
  private final ManualClock clock = new ManualClock();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private int term;
  private final List<PodObserved> observed = cluster.hear(POD_OBSERVED.shard(0));
  private final List<PodsSynced> synced = cluster.hear(PODS_SYNCED);
  private final List<PodReport> reports = cluster.hear(POD_REPORTED.shard(0));
  private final List<ObjectEvent> events = cluster.hear(OBJECT_EVENT);

  @Test
  void waitsForTheLease() {
    cluster.createPod("a", NODE);
    provider.runs("orphan", "uid-orphan", NODE);
    deploy();
    eventually(() -> assertThat(synced).isNotEmpty());
    assertThat(provider.calls()).isEmpty();
    acquire();
    eventually(() -> assertThat(provider.calls()).contains("create a", "kill orphan"));
  }

  /** As far as it is about the API server; C46 is about other sources too. */
  @Test
  @Tag("C46")
  void c46NothingIsKilledBeforeTheWholeListOfPodsIsRead() {
    cluster.createPod("a", NODE);
    provider.runs("orphan", "uid-orphan", NODE);
    Fault fault =
        cluster
            .faults()
            .on(request -> request.resource().equals("pods"))
            .respond(503, "ServiceUnavailable");
    deploy();
    acquire();
    eventually(() -> assertThat(fault.hits()).isPositive());
    assertThat(provider.calls()).isEmpty();
    fault.lift();
    eventually(() -> assertThat(provider.calls()).contains("create a", "kill orphan"));
  }

  @Test
  void createsUpdatesDeletesAndForgetsAPod() {
    serve();
    createAndAwait("a");
    cluster.label("a", "color", "red");
    eventually(() -> assertThat(provider.calls()).containsExactly("create a", "update a"));
    cluster.delete("pods", "default", "a");
    eventually(
        () -> assertThat(provider.calls()).containsExactly("create a", "update a", "delete a"));
    assertThat(provider.calls("delete a").get(0).grace()).isEqualTo(30);
    cluster.deleteNow("pods", "default", "a");
    eventually(() -> assertThat(provider.calls()).endsWith("kill a"));
    eventually(
        () ->
            assertThat(events)
                .extracting(ObjectEvent::reason)
                .startsWith(
                    "ProviderCreateSuccess", "ProviderUpdateSuccess", "ProviderDeleteSuccess"));
  }

  /** C56, C57: by name, and on the node that is asked for only. */
  @Test
  @Tag("C56")
  @Tag("C57")
  void whoeverAsksIsToldOfThePodsOfItsNodes() {
    serve();
    cluster.createPod("a", NODE);
    cluster.createPod("b", NODE);
    eventually(() -> assertThat(provider.calls()).contains("create a", "create b"));

    assertThat(known(NODE, "", "")).containsExactlyInAnyOrder("a", "b");
    assertThat(known("", "default", "a")).containsExactly("a");
    assertThat(known(NODE, "other", "a")).isEmpty();
    assertThat(known("other", "default", "a")).isEmpty();
  }

  private List<String> known(String node, String namespace, String name) {
    return get(cluster.bus().ask(POD_QUERY.shard(0), new PodQuery(node, namespace, name)))
        .pods()
        .stream()
        .map(known -> known.pod().name())
        .toList();
  }

  @Test
  @Tag("C41")
  void aProviderCanReadItsNode() {
    serve();
    cluster.create(
        "nodes",
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \""
            + NODE
            + "\", \"labels\": {\"disk\": \"ssd\"}}}");
    assertThat(get(provider.readNode(NODE)).labels()).containsEntry("disk", "ssd");
  }

  @Test
  @Tag("C14")
  void aStatusThatSomebodyElseChangedIsNoBusinessOfTheProvider() {
    serve();
    createAndAwait("a");
    cluster.patchStatus("pods", "default", "a", "{\"status\": {\"message\": \"x\"}}");
    createAndAwait("b");
    assertThat(provider.calls()).containsExactly("create a", "create b");
  }

  @Test
  void aDeletionAskedToHurryIsPassedOn() {
    serve();
    cluster.createPod("a", NODE);
    cluster.delete("pods", "default", "a");
    eventually(() -> assertThat(provider.calls("delete a")).hasSize(1));
    get(cluster.objects().delete("pods", "default", "a", hurry(5)));
    eventually(() -> assertThat(provider.calls("delete a")).hasSize(2));
    assertThat(provider.calls("delete a").get(1).grace()).isEqualTo(5);
  }

  @Test
  @Tag("C37")
  void aPodDeletedByForceIsKilled() {
    serve();
    createAndAwait("a");
    cluster.deleteNow("pods", "default", "a");
    eventually(
        () -> assertThat(provider.calls()).containsExactly("create a", "delete a", "kill a"));
    assertThat(provider.calls("delete a").get(0).grace()).isEqualTo(1);
    assertThat(reports).isEmpty();
  }

  @Test
  void updatesThatComeDuringACallBecomeOne() {
    serve();
    Promise<Void> creation = Promise.promise();
    provider.answer("create a", creation::future);
    createAndAwait("a");
    for (String color : List.of("red", "green", "blue")) {
      cluster.label("a", "color", color);
    }
    eventually(() -> assertThat(observed).hasSize(4));
    createAndAwait("b");
    creation.complete();
    eventually(() -> assertThat(provider.calls("update a")).isNotEmpty());
    createAndAwait("c");
    assertThat(provider.calls("update a"))
        .singleElement()
        .matches(call -> call.pod() != null && "blue".equals(call.pod().labels().get("color")));
  }

  @Test
  @Tag("C19")
  void aProviderThatHangsHarmsOnlyThatPod() {
    serve();
    provider.answer("create a", () -> Promise.<Void>promise().future());
    cluster.createPod("a", NODE);
    eventually(() -> assertThat(provider.calls()).contains("create a"));
    createAndAwait("b");
    cluster.label("b", "color", "red");
    eventually(() -> assertThat(provider.calls()).contains("update b"));
    assertThat(provider.calls("create a")).hasSize(1);
  }

  @Test
  void aProviderThatThrowsHarmsOnlyThatPodAndIsAskedAgain() {
    serve();
    provider.answer(
        "create a",
        () -> {
          throw new IllegalStateException("broken");
        });
    cluster.createPod("a", NODE);
    createAndAwait("b");
    eventually(() -> assertThat(reports).hasSize(1));
    assertThat(reports.get(0).status().phase()).isEqualTo(PodPhase.PENDING);
    assertThat(reports.get(0).status().reason()).isEqualTo("ProviderFailed");
    assertThat(reports.get(0).status().message()).isEqualTo("broken");
    provider.answer("create a", Future::succeededFuture);
    clock.advance(Duration.ofMinutes(10));
    cluster.label("a", "color", "red");
    eventually(() -> assertThat(provider.calls("create a")).hasSize(2));
  }

  @Test
  void aPodThatCanNeverRunFailsOnceWithAnEvent() {
    serve();
    provider.answer(
        "create a",
        () -> Future.failedFuture(new ProviderException(Kind.INVALID, "NoGpu", "needs a GPU")));
    cluster.createPod("a", NODE);
    eventually(() -> assertThat(reports).hasSize(1));
    cluster.label("a", "color", "red");
    createAndAwait("b");
    assertThat(provider.calls()).containsExactly("create a", "create b");
    assertThat(reports).hasSize(1);
    assertThat(reports.get(0).status().phase()).isEqualTo(PodPhase.FAILED);
    assertThat(reports.get(0).status().reason()).isEqualTo("NoGpu");
    assertThat(events.stream().filter(event -> event.name().equals("a")))
        .singleElement()
        .matches(event -> event.reason().equals("NoGpu") && event.type().equals("Warning"));
  }

  @Test
  void aDeletedPodThatNoProviderKnowsMayGo() {
    serve();
    provider.answer(
        "delete a",
        () -> Future.failedFuture(new ProviderException(Kind.NOT_FOUND, "NotFound", "unknown")));
    cluster.createPod("a", NODE);
    cluster.delete("pods", "default", "a");
    eventually(() -> assertThat(reports).singleElement().matches(PodReport::finished));
  }

  @Test
  @Tag("2.4-1")
  @Tag("C64")
  void aDeletionMissedByTheWatchIsFoundByTheNextList() {
    serve();
    createAndAwait("a");
    createAndAwait("b");
    missNextEvent();
    cluster.deleteNow("pods", "default", "a");
    relist();
    eventually(() -> assertThat(provider.calls()).contains("kill a"));
    assertThat(provider.calls()).containsExactly("create a", "create b", "kill a");
  }

  @Test
  @Tag("2.4-4")
  void aNamesakeMadeDuringACutReplacesTheOldPod() {
    serve();
    createAndAwait("a");
    missNextEvent();
    cluster.deleteNow("pods", "default", "a");
    missNextEvent();
    cluster.createPod("a", NODE);
    relist();
    eventually(() -> assertThat(provider.calls("create a")).hasSize(2));
    eventually(() -> assertThat(provider.calls("kill a")).hasSize(1));
    String old = provider.calls("create a").get(0).uid();
    assertThat(provider.calls("kill a").get(0).uid()).isEqualTo(old);
    assertThat(provider.calls("create a").get(1).uid()).isNotEqualTo(old);
  }

  @Test
  @Tag("2.4-4")
  @Tag("C38")
  void whatEndedWhileTheAgentWasDownIsKilledAndItsNamesakeCreated() {
    cluster.createPod("a", NODE);
    String uid = cluster.pod("a").at("/metadata/uid").asText();
    provider.runs("a", "uid-old", NODE);
    provider.runs("gone", "uid-gone", NODE);
    provider.runs("elsewhere", "uid-elsewhere", "another node");
    serve();
    eventually(() -> assertThat(provider.calls()).contains("create a", "kill a", "kill gone"));
    assertThat(provider.calls("create a")).extracting(FakeProvider.Call::uid).containsExactly(uid);
    assertThat(provider.calls("kill a"))
        .extracting(FakeProvider.Call::uid)
        .containsExactly("uid-old");
    assertThat(provider.calls()).doesNotContain("kill elsewhere");
  }

  @Test
  void aPodThatEndedForTheServerWhileTheAgentWasDownIsKilled() {
    cluster.createPod("a", NODE);
    String uid = cluster.pod("a").at("/metadata/uid").asText();
    cluster.patchStatus("pods", "default", "a", "{\"status\": {\"phase\": \"Failed\"}}");
    provider.runs("a", uid, NODE);
    serve();
    eventually(() -> assertThat(provider.calls()).contains("kill a"));
    assertThat(provider.calls()).containsExactly("kill a");
  }

  @Test
  void podsThatHaveAnAddressAreTakenOverBeforeNewOnes() {
    for (String name : List.of("a", "b", "c", "d")) {
      cluster.createPod(name, NODE);
    }
    String addressed =
        "{\"status\": {\"podIP\": \"10.0.0.%d\", \"podIPs\": [{\"ip\": \"10.0.0.%d\"}]}}";
    cluster.patchStatus("pods", "default", "b", addressed.formatted(1, 1));
    cluster.patchStatus("pods", "default", "d", addressed.formatted(2, 2));
    serve();
    eventually(() -> assertThat(provider.calls()).hasSize(4));
    assertThat(provider.calls().subList(0, 2)).containsExactlyInAnyOrder("create b", "create d");
  }

  /** virtual-kubelet 2.4-12: also from an event loop, which is not kept waiting. */
  @Test
  @Tag("2.4-12")
  void whatAProviderReportsBeforeTheFirstListIsNotLost() {
    PodRef a = ref(cluster.createPod("a", NODE));
    PodRef b = ref(cluster.createPod("b", NODE));
    deploy();
    Promise<Void> said = Promise.promise();
    cluster
        .vertx()
        .getOrCreateContext()
        .runOnContext(
            v -> {
              provider.report(new PodReport(a, NODE, TestPods.status(PodPhase.RUNNING), false));
              said.complete();
            });
    get(said.future());
    provider.report(new PodReport(b, NODE, TestPods.status(PodPhase.RUNNING), false));
    eventually(() -> assertThat(synced).isNotEmpty());
    assertThat(reports).isEmpty();
    acquire();
    eventually(
        () -> assertThat(reports).extracting(PodReport::pod).containsExactlyInAnyOrder(a, b));
  }

  @Test
  void aLostLeaseReleasesTheNodeAndTheNextOneStartsAnew() {
    serve();
    createAndAwait("a");
    cluster.publish(LEASE_LOST, new LeaseLost(NODE, "test"));
    eventually(() -> assertThat(provider.calls()).containsExactly("create a", "release " + NODE));
    cluster.label("a", "color", "red");
    eventually(() -> assertThat(observed).hasSize(2));
    provider.report(
        new PodReport(observed.get(0).pod().ref(), NODE, TestPods.status(PodPhase.RUNNING), false));
    acquire();
    eventually(
        () ->
            assertThat(provider.calls())
                .containsExactly("create a", "release " + NODE, "create a"));
    assertThat(reports).isEmpty();
  }

  @Test
  void aNewTermBeginsWithAFreshList() {
    serve();
    createAndAwait("a");
    cluster.publish(LEASE_LOST, new LeaseLost(NODE, "test"));
    eventually(() -> assertThat(provider.calls()).contains("release " + NODE));
    missNextEvent();
    cluster.deleteNow("pods", "default", "a");
    Fault slow = cluster.faults().on("watch", "pods").once().delay(Duration.ofMillis(300));
    term = 1;
    acquire();
    eventually(() -> assertThat(slow.hits()).isEqualTo(1));
    createAndAwait("b");
    eventually(() -> assertThat(provider.calls()).contains("kill a"));
    // with the list of the term before, "a" would have been created again
    assertThat(provider.calls("create a")).hasSize(1);
    eventually(() -> assertThat(synced).extracting(PodsSynced::term).containsExactly(0, 1));
  }

  /** virtual-kubelet PodControllerExitOnContextCancel: also while a call is under way. */
  @Test
  @Tag("PodControllerExitOnContextCancel")
  void leavesPodsRunningWhenItIsUndeployed() {
    String deployment = serve();
    createAndAwait("a");
    provider.answer("create b", () -> Promise.<Void>promise().future());
    createAndAwait("b");
    cluster.undeploy(deployment);
    assertThat(provider.calls()).containsExactly("create a", "create b", "stop ");
  }

  @Test
  void aProviderThatAnswersOnAThreadOfItsOwnIsStillCalledOnItsShard() {
    serve();
    Promise<Void> creation = Promise.promise();
    provider.answer("create a", creation::future);
    createAndAwait("a");
    cluster.label("a", "color", "red");
    eventually(() -> assertThat(observed).hasSize(2));
    createAndAwait("b");
    creation.complete(); // on the test's thread
    eventually(() -> assertThat(provider.calls()).contains("update a"));
    assertThat(provider.threads()).hasSize(1);
  }

  @Test
  void aProviderThatThrowsOnReleaseIsAskedForTheNextTerm() {
    provider.answer(
        "release " + NODE,
        () -> {
          throw new IllegalStateException("broken");
        });
    serve();
    createAndAwait("a");
    cluster.publish(LEASE_LOST, new LeaseLost(NODE, "test"));
    acquire();
    eventually(() -> assertThat(provider.calls("create a")).hasSize(2));
  }

  private String serve() {
    String deployment = deploy();
    acquire();
    return deployment;
  }

  private String deploy() {
    String deployment = cluster.deploy(cluster.podSync(NODE, provider, clock, clock::nanos));
    cluster.watchPods(NODE);
    return deployment;
  }

  private static PodRef ref(ObjectNode pod) {
    return new PodRef(
        "default", pod.at("/metadata/name").asText(), pod.at("/metadata/uid").asText());
  }

  private static DeleteOptions hurry(long grace) {
    return new DeleteOptions(OptionalLong.of(grace), "", "", false);
  }

  private void acquire() {
    cluster.publish(LEASE_ACQUIRED, new LeaseAcquired(NODE, term));
  }

  /** All that was sent to the verticle before has been handled when this returns. */
  private void createAndAwait(String pod) {
    cluster.createPod(pod, NODE);
    eventually(() -> assertThat(provider.calls()).contains("create " + pod));
  }

  private void missNextEvent() {
    cluster.faults().on("watch", "pods").once().swallowEvent();
  }

  private void relist() {
    get(cluster.server().expireWatchWindow());
    get(cluster.server().cutWatches());
  }

  /** kubelet §11.4: what the agent knew of a static pod before its restart stands in its mirror. */
  @Test
  void aMirrorIsNotRunAndRemembersTheStatusOfItsStaticPod() {
    ObjectNode mirror = Manifests.pod("web", NODE);
    ((ObjectNode) mirror.path("metadata"))
        .putObject("annotations")
        .put("kubernetes.io/config.mirror", "uid-web");
    cluster.create("pods", mirror);
    cluster.patchStatus("pods", "default", "web", "{\"status\": {\"phase\": \"Running\"}}");
    deploy();
    eventually(() -> assertThat(synced).isNotEmpty());
    manifest(TestPods.pod("web").at(0));
    acquire();
    eventually(() -> assertThat(provider.calls()).containsExactly("create web"));
    assertThat(provider.calls("create web").get(0).pod())
        .extracting(pod -> pod.status().phase())
        .isEqualTo(PodPhase.RUNNING);
    assertThat(observed).isEmpty();
  }

  private void manifest(TestPods pod) {
    cluster.publish(
        STATIC_POD_OBSERVED.shard(0), new StaticPodObserved(pod.view(), Buffer.buffer("{}")));
  }

  @Test
  void whatAProviderAsksForOfAStaticPodIsItsManifest() {
    deploy();
    manifest(TestPods.pod("web").at(0));
    acquire();
    eventually(() -> assertThat(provider.calls()).containsExactly("create web"));
    assertThat(get(provider.readPod(TestPods.pod("web").ref())).toString()).isEqualTo("{}");
  }

  @Test
  void whoWaitsForTheEndOfAStaticPodIsToldOfIt() {
    List<StaticPodEnded> ended = cluster.hear(STATIC_POD_ENDED.shard(0));
    deploy();
    acquire();
    TestPods web = TestPods.pod("web").at(0);
    manifest(web);
    eventually(() -> assertThat(provider.calls()).containsExactly("create web"));
    manifest(web.deleted(30));
    eventually(() -> assertThat(provider.calls()).containsExactly("create web", "delete web"));
    assertThat(ended).isEmpty();
    provider.report(new PodReport(web.ref(), NODE, TestPods.status(PodPhase.SUCCEEDED), true));
    eventually(() -> assertThat(ended).contains(new StaticPodEnded(web.ref())));
  }
}
