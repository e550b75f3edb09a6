package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.PolledProvider;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.TestPods;
import dev.vertlet.testsupport.ManualClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * virtual-kubelet's table of pod life cycles, §2.1 PodLifecycle × {Async, Sync}: with a provider
 * that reports, and with one that is polled.
 */
class PlainProviderTest {
  private static final String NODE = "node";

  private final ManualClock clock = new ManualClock();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<ObjectEvent> events = cluster.hear(OBJECT_EVENT);
  private QuietProvider provider = new QuietProvider(true);

  private void given(boolean reports) {
    provider = new QuietProvider(reports);
  }

  private void serve() {
    PodProvider speaking =
        provider.reports() ? provider : PolledProvider.every(Duration.ofMillis(20), provider);
    cluster.deploy(cluster.statuses(clock::nanos));
    cluster.deploy(cluster.podSync(NODE, speaking, clock, clock::nanos));
    cluster.watchPods(NODE);
    cluster.acquire(NODE);
  }

  private String phase(String pod) {
    return cluster.pod(pod).at("/status/phase").asText();
  }

  private void runs(String pod) {
    eventually(() -> assertThat(phase(pod)).isEqualTo("Running"));
  }

  private void goes(String pod) {
    eventually(() -> assertThat(cluster.exists("pods", "default", pod)).isFalse());
  }

  private List<String> reasons() {
    return events.stream().map(ObjectEvent::reason).toList();
  }

  @ParameterizedTest(name = "PodLifecycle createStartDelete, reports {0}")
  @ValueSource(booleans = {true, false})
  @Tag("createStartDelete")
  void aPodMadeBeforeTheStartRunsAndGoesWhenItIsDeleted(boolean reports) {
    given(reports);
    cluster.createPod("a", NODE);
    serve();
    runs("a");

    cluster.delete("pods", "default", "a");

    goes("a");
    assertThat(provider.calls()).startsWith("create a", "delete a");
    eventually(
        () -> assertThat(reasons()).startsWith("ProviderCreateSuccess", "ProviderDeleteSuccess"));
  }

  @ParameterizedTest(name = "PodLifecycle DeletionErrorNotFound, reports {0}")
  @ValueSource(booleans = {true, false})
  @Tag("DeletionErrorNotFound")
  void aPodThatTheProviderDoesNotKnowGoesWhenItIsDeleted(boolean reports) {
    given(reports);
    cluster.createPod("a", NODE);
    serve();
    runs("a");
    provider.deletionFails(new ProviderException(Kind.NOT_FOUND, "NotFound", "not found"));

    cluster.delete("pods", "default", "a");

    goes("a");
    assertThat(reasons()).contains("ProviderDeleteFailed").doesNotContain("ProviderDeleteSuccess");
  }

  @ParameterizedTest(name = "PodLifecycle DeletionRandomError, reports {0}")
  @ValueSource(booleans = {true, false})
  @Tag("DeletionRandomError")
  void aDeletionThatFailsIsTriedAgainAndThePodStays(boolean reports) {
    given(reports);
    cluster.createPod("a", NODE);
    serve();
    runs("a");
    provider.deletionFails(new ProviderException(Kind.TEMPORARY, "Busy", "random error"));

    cluster.delete("pods", "default", "a");

    eventually(
        () -> {
          clock.advance(Duration.ofMinutes(10));
          assertThat(provider.calls()).filteredOn("delete a"::equals).hasSizeGreaterThan(2);
        });
    assertThat(cluster.pod("a").at("/metadata/deletionTimestamp").asText()).isNotEmpty();
    provider.deletionFails(null);
    eventually(
        () -> {
          clock.advance(Duration.ofMinutes(10));
          assertThat(cluster.exists("pods", "default", "a")).isFalse();
        });
  }

  @ParameterizedTest(name = "PodLifecycle danglingPod, reports {0}")
  @ValueSource(booleans = {true, false})
  @Tag("danglingPod")
  void aPodThatOnlyTheProviderHasIsEnded(boolean reports) {
    given(reports);
    PodRef pod = new PodRef("default", "a", "uid-dangling");
    provider.has(new PodReport(pod, NODE, TestPods.status(PodPhase.RUNNING), false));
    serve();

    eventually(() -> assertThat(provider.calls()).containsExactly("kill a"));
  }

  @ParameterizedTest(name = "PodLifecycle danglingPodWithDeletionTimestamp, reports {0}")
  @ValueSource(booleans = {true, false})
  @Tag("danglingPodWithDeletionTimestamp")
  void aPodThatWasDeletedWhileTheAgentWasDownGoes(boolean reports) {
    given(reports);
    ObjectNode pod = cluster.createPod("a", NODE);
    PodRef ref = new PodRef("default", "a", pod.at("/metadata/uid").asText());
    provider.has(new PodReport(ref, NODE, TestPods.status(PodPhase.RUNNING), false));
    cluster.delete("pods", "default", "a");
    serve();

    goes("a");
    assertThat(provider.calls()).startsWith("delete a").doesNotContain("create a");
  }

  @ParameterizedTest(name = "PodLifecycle failedPod and succeededPod, {0}")
  @ValueSource(strings = {"Failed", "Succeeded"})
  @Tag("failedPod")
  @Tag("succeededPod")
  void aPodThatHadEndedBeforeTheStartIsLeftAlone(String phase) {
    given(true);
    cluster.createPod("a", NODE);
    cluster.patchStatus("pods", "default", "a", "{\"status\": {\"phase\": \"" + phase + "\"}}");
    ObjectNode before = cluster.pod("a");
    serve();
    cluster.createPod("b", NODE);
    runs("b");

    assertThat(cluster.pod("a")).isEqualTo(before);
    assertThat(provider.calls()).containsExactly("create b");
  }

  @ParameterizedTest(name = "PodLifecycle updatePodWhileRunning, reports {0}")
  @ValueSource(booleans = {true, false})
  @Tag("updatePodWhileRunning")
  void aDeadlineGivenToARunningPodIsAnUpdate(boolean reports) {
    given(reports);
    cluster.createPod("a", NODE);
    serve();
    runs("a");

    cluster.patch("pods", "default", "a", "{\"spec\": {\"activeDeadlineSeconds\": 300}}");

    eventually(() -> assertThat(provider.calls()).containsExactly("create a", "update a"));
    eventually(() -> assertThat(reasons()).contains("ProviderUpdateSuccess"));
  }

  /** PodStatusDelete: the provider is done with a pod that nobody deleted. */
  @Test
  @Tag("PodStatusDelete")
  void aProviderMayAskForTheDeletionOfAPod() {
    given(true);
    String uid = cluster.createPod("a", NODE).at("/metadata/uid").asText();
    serve();
    runs("a");

    get(provider.context().askForDeletion(new PodRef("default", "a", uid), Duration.ofSeconds(9)));

    goes("a");
    assertThat(provider.calls()).startsWith("create a", "delete a");
  }

  /** ReCreatePodRace: gone, or another pod of that name by now. */
  @Test
  @Tag("ReCreatePodRace")
  void theDeletionOfAPodThatIsGoneOrIsAnotherOneIsFine() {
    given(true);
    cluster.createPod("a", NODE);
    serve();
    runs("a");

    for (String name : List.of("a", "none")) {
      get(
          provider
              .context()
              .askForDeletion(new PodRef("default", name, "uid-before"), Duration.ZERO));
    }

    assertThat(cluster.exists("pods", "default", "a")).isTrue();
    assertThat(provider.calls()).containsExactly("create a");
  }

  /** §1.10: what is missing from a list has failed. */
  @ParameterizedTest(name = "polling, a pod that vanishes: reports {0}")
  @ValueSource(booleans = {false})
  void aPodThatVanishesFromThePolledProviderHasFailed(boolean reports) {
    given(reports);
    ObjectNode pod = cluster.createPod("a", NODE);
    serve();
    runs("a");

    provider.lose(new PodRef("default", "a", pod.at("/metadata/uid").asText()));

    eventually(() -> assertThat(phase("a")).isEqualTo("Failed"));
    assertThat(cluster.pod("a").at("/status/reason").asText()).isEqualTo("NotFound");
    assertThat(cluster.pod("a").at("/status/containerStatuses/0/state/terminated/exitCode").asInt())
        .isEqualTo(-137);
  }

  /** 2.4-2: the object goes as soon as all containers have ended, and not after the grace. */
  @ParameterizedTest(name = "a long grace, reports {0}")
  @ValueSource(booleans = {true, false})
  @Tag("2.4-2")
  void theObjectDoesNotWaitForTheGrace(boolean reports) {
    given(reports);
    ObjectNode pod = Manifests.pod("a", NODE);
    pod.withObject("/spec").put("terminationGracePeriodSeconds", 100_000);
    cluster.create("pods", pod);
    serve();
    runs("a");

    cluster.delete("pods", "default", "a");

    goes("a");
  }
}
