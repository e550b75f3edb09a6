package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static dev.vertlet.testing.TestPods.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodQuery;
import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.testing.Fakes;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the simulation of a whole agent has found, without the rest of the agent. */
class PodSyncTest {
  private static final String NODE = "node";
  private static final String OTHER = "other-node";

  private final FakeLoop loop = new FakeLoop();
  private final List<PodReport> reports = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();

  /** What the provider's list has. */
  private final List<PodReport> listed = new ArrayList<>();

  private boolean listFails;

  private SimulatedSync serving(Map<String, Object> answers) {
    SimulatedSync sync = started(answers);
    serve(sync);
    return sync;
  }

  private void serve(SimulatedSync sync) {
    for (String node : List.of(NODE, OTHER)) {
      sync.acquired(node, 0);
      sync.synced(node, 0);
    }
    loop.settle();
  }

  private void begin(SimulatedSync sync, int term) {
    sync.acquired(NODE, term);
    sync.synced(NODE, term);
    loop.settle();
  }

  private SimulatedSync started(Map<String, Object> answers) {
    PodProvider provider = answering(PodProvider.class, answers);
    SimulatedSync sync =
        new SimulatedSync(
            List.of(NODE, OTHER),
            provider,
            loop,
            reports::add,
            System::nanoTime,
            new SplittableRandom(1));
    assertThat(sync.start(answering(ProviderContext.class, Map.of())).succeeded()).isTrue();
    return sync;
  }

  private <T> T answering(Class<T> type, Map<String, Object> answers) {
    return Fakes.answering(
        type,
        (method, arguments) -> {
          calls.add(method);
          return switch (method) {
            case "writesEvents", "tellsUnclaimed" -> answers.getOrDefault(method, true);
            case "retries" -> RetryPolicy.ENDLESS;
            case "list" ->
                listFails
                    ? Future.failedFuture("away")
                    : Future.succeededFuture(List.copyOf(listed));
            default -> answers.getOrDefault(method, Future.succeededFuture());
          };
        });
  }

  @Test
  void aPodThatTheProviderHoldsUnaskedIsEndedUnlessItShouldRun() {
    SimulatedSync sync = serving(Map.of());
    sync.observed(pod("wanted").view());
    calls.clear();

    sync.unclaimed(held(pod("wanted").ref(), NODE));
    sync.unclaimed(held(pod("unknown").ref(), "another-agents-node"));
    assertThat(calls).isEmpty();
    sync.unclaimed(held(pod("unknown").ref(), NODE));

    assertThat(calls).containsExactly("kill");
  }

  @Test
  void aPodOfAnAbandonedNodeIsEndedAndThoseOfOtherShardsAreNot() {
    SimulatedSync sync = serving(Map.of()).abandoned("former-node"::equals);
    calls.clear();

    sync.unclaimed(held(pod("others").ref(), "another-shards-node"));
    assertThat(calls).isEmpty();
    sync.unclaimed(held(pod("left").ref(), "former-node"));

    assertThat(calls).containsExactly("kill");
  }

  @Test
  void aPodThatTurnsUpLaterInTheListOfASilentProviderIsEnded() {
    SimulatedSync sync = serving(Map.of("tellsUnclaimed", false));
    sync.observed(pod("wanted").view());
    loop.advance(Duration.ofSeconds(8));
    listed.add(held(pod("wanted").ref(), NODE));
    listed.add(held(pod("late").ref(), NODE));
    listed.add(held(pod("others").ref(), "another-agents-node"));
    calls.clear();

    loop.advance(Duration.ofSeconds(10));
    assertThat(calls).containsExactly("list", "kill");

    loop.advance(Duration.ofSeconds(10));
    assertThat(calls).as("it is still there").containsExactly("list", "kill", "list", "kill");
  }

  @Test
  void aSilentProviderIsAskedAgainAfterAListThatFailsAndNotAfterItsStop() {
    SimulatedSync sync = serving(Map.of("tellsUnclaimed", false));
    calls.clear();
    listFails = true;
    loop.advance(Duration.ofSeconds(10));
    listFails = false;
    listed.add(held(pod("late").ref(), NODE));
    loop.advance(Duration.ofSeconds(10));
    assertThat(calls).containsExactly("list", "list", "kill");

    assertThat(sync.stop().succeeded()).isTrue();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void anOrphanThatIsGoneWhenItIsToBeEndedIsNotLookedForAgain() {
    Throwable gone = new ProviderException(Kind.NOT_FOUND, "NotFound", "no such pod");
    SimulatedSync sync = serving(Map.of("kill", Future.failedFuture(gone)));

    sync.unclaimed(held(pod("late").ref(), NODE));

    assertThat(loop.timers()).isZero();
  }

  @Test
  void aProviderThatTellsOfOrphansIsListedOnceForItsNodes() {
    serving(Map.of());
    loop.advance(Duration.ofMinutes(10));
    assertThat(calls).containsOnlyOnce("list");
  }

  @Test
  void aPodThatAnotherAgentRunsByNowIsForgottenAndNotEnded() {
    SimulatedSync sync = serving(Map.of());
    PodView pod = pod("moves").view();
    sync.observed(pod);
    sync.lost(NODE);
    calls.clear();

    sync.elsewhere(pod.ref());
    assertThat(sync.size()).isZero();

    sync.acquired(NODE, 1);
    sync.observed(pod);
    sync.synced(NODE, 1);
    loop.settle();
    assertThat(calls).contains("create").doesNotContain("kill", "delete");
  }

  @Test
  void aRunningPodThatCannotBeTakenOverYetIsNotShownAsPending() {
    SimulatedSync sync = serving(Map.of("create", Future.failedFuture("away")));
    sync.observed(pod("ran").in(PodPhase.RUNNING).view());
    assertThat(reports).isEmpty();

    sync.observed(pod("new").view());
    assertThat(reports).hasSize(1);
    assertThat(reports.get(0).status().reason()).isEqualTo("ProviderFailed");
  }

  /** virtual-kubelet §1.7 step 7: it was not even asked, and what it showed is still true. */
  @Test
  void aRunningPodWhoseEnvironmentCannotBeMadeKeepsItsStatus() {
    Throwable failure =
        new ProviderException(Kind.TEMPORARY, "CreateContainerConfigError", "not found");
    SimulatedSync sync =
        serving(Map.of("create", Future.failedFuture(failure), "writesEvents", false));
    sync.observed(pod("ran").in(PodPhase.RUNNING).view());
    assertThat(calls).contains("create");
    assertThat(reports).isEmpty();

    sync.observed(pod("new").view());
    assertThat(reports).hasSize(1);
    assertThat(reports.get(0).status().phase()).isEqualTo(PodPhase.PENDING);
  }

  private static PodView renamed(PodView pod, String name, String node) {
    return Pods.of(pod)
        .ref(new PodRef(pod.namespace(), name, pod.uid()))
        .version(2)
        .node(node)
        .build();
  }

  private static List<String> uids(SimulatedSync sync, String node, String name) {
    return sync.known(new PodQuery(node, "default", name)).pods().stream()
        .map(known -> known.pod().uid())
        .toList();
  }

  /** A manifest may give its pod a UID, and later another name, or go to another node. */
  @Test
  void aPodThatFollowsUponOneOfItsUidIsFoundByItsOwnNameAndNode() {
    Promise<Void> killed = Promise.promise();
    SimulatedSync sync = serving(Map.of("kill", killed.future()));
    PodView web = pod("web").view();
    sync.observed(web);
    assertThat(uids(sync, NODE, "web")).containsExactly(web.uid());
    assertThat(uids(sync, "", "web")).containsExactly(web.uid());
    assertThat(uids(sync, OTHER, "web")).isEmpty();

    sync.gone(web.ref());
    PodView site = renamed(web, "site", OTHER);
    sync.observed(site);
    assertThat(uids(sync, NODE, "web")).as("still to be ended").containsExactly(web.uid());
    killed.complete();
    loop.settle();

    assertThat(calls).endsWith("kill", "create");
    assertThat(uids(sync, "", "web")).isEmpty();
    assertThat(uids(sync, OTHER, "site")).containsExactly(site.uid());
    assertThat(sync.known(new PodQuery(NODE, "", "")).pods()).isEmpty();
    assertThat(sync.known(new PodQuery(OTHER, "", "")).pods()).hasSize(1);
    sync.gone(site.ref());
    loop.settle();
    assertThat(sync.size()).isZero();
    assertThat(sync.known(new PodQuery("", "", "")).pods()).isEmpty();
    assertThat(sync.known(new PodQuery("nobody", "", "")).pods()).isEmpty();
  }

  @Test
  @Tag("2.4-12")
  void ofWhatIsReportedBeforeTheFirstListTheNewestIsTakenOnce() {
    SimulatedSync sync = started(Map.of());
    sync.observed(pod("a").view());
    sync.reported(held(pod("a").ref(), "another-shards-node"));
    sync.reported(of("a", PodPhase.PENDING, false));
    sync.reported(of("a", PodPhase.RUNNING, false));
    assertThat(reports).isEmpty();

    serve(sync);

    assertThat(reports).containsExactly(of("a", PodPhase.RUNNING, false));
    sync.lost(NODE);
    sync.reported(of("a", PodPhase.FAILED, false));
    begin(sync, 1);
    assertThat(reports).as("another agent may have served the node").hasSize(1);
  }

  @Test
  @Tag("2.4-12")
  void aPodWhoseEndIsReportedEarlyIsNotEndedOnceMore() {
    SimulatedSync sync = started(Map.of());
    sync.observed(pod("a").deleted(30).view());
    sync.reported(of("a", PodPhase.SUCCEEDED, true));
    calls.clear();

    serve(sync);

    assertThat(reports).containsExactly(of("a", PodPhase.SUCCEEDED, true));
    assertThat(calls).doesNotContain("create", "delete");
  }

  /** An address that a pod has had rests: the provider learns of it before it needs one. */
  @Test
  void podsThatAreOverAreToldOfBeforeAnythingIsAskedForTheirNode() {
    SimulatedSync sync = started(Map.of());
    sync.observed(pod("new").view());
    sync.observed(pod("over").in(PodPhase.SUCCEEDED).view());
    calls.clear();

    serve(sync);

    assertThat(calls).containsSubsequence("settled", "create").containsOnlyOnce("settled");
  }

  @Test
  void whatWasReportedBeforeTheProviderHadToForgetIsForgottenToo() {
    SimulatedSync sync = started(Map.of());
    sync.observed(pod("a").view());
    sync.reported(of("a", PodPhase.RUNNING, false));
    sync.acquired(NODE, 0);
    sync.lost(NODE);

    begin(sync, 1);

    assertThat(reports).isEmpty();
  }

  @Test
  void ofANodeThatIsReleasedNothingIsKeptAndNothingEnded() {
    SimulatedSync sync = serving(Map.of());
    sync.observed(pod("a").view());
    calls.clear();

    sync.released(NODE);
    sync.gone(pod("a").ref());
    sync.lost(NODE);
    loop.settle();

    assertThat(sync.size()).isZero();
    assertThat(calls).containsExactly("release");
  }

  @Test
  void aNodeThatIsAdoptedAgainBeginsAnew() {
    SimulatedSync sync = serving(Map.of());
    sync.observed(pod("a").view());
    sync.released(NODE);
    calls.clear();

    sync.adopted(NODE);
    sync.acquired(NODE, 0);
    sync.observed(pod("a").view());
    assertThat(calls).isEmpty();
    sync.synced(NODE, 0);
    loop.settle();

    assertThat(calls).contains("create").doesNotContain("kill", "delete");
    assertThat(sync.size()).isEqualTo(1);
  }

  /** As everywhere: no two calls of a provider about one pod at a time. */
  @Test
  void aCallThatOutlivesItsNodeEndsBeforeTheNextOneBegins() {
    Promise<Void> created = Promise.promise();
    SimulatedSync sync = serving(Map.of("create", created.future()));
    sync.observed(pod("a").view());
    sync.released(NODE);
    assertThat(sync.size()).isEqualTo(1);
    calls.clear();

    sync.adopted(NODE);
    sync.observed(pod("a").view());
    begin(sync, 0);
    assertThat(calls).doesNotContain("create");

    created.complete();
    loop.settle();
    assertThat(calls).contains("create");
    assertThat(sync.size()).isEqualTo(1);
  }

  @Test
  void whatIsInFlightWhenItsNodeIsReleasedIsForgottenWhenItEnds() {
    Promise<Void> created = Promise.promise();
    SimulatedSync sync = serving(Map.of("create", created.future()));
    sync.observed(pod("a").view());
    sync.released(NODE);

    created.complete();
    loop.settle();

    assertThat(sync.size()).isZero();
  }

  private static PodReport of(String name, PodPhase phase, boolean finished) {
    return new PodReport(pod(name).ref(), NODE, status(phase), finished);
  }

  private static PodReport held(PodRef pod, String node) {
    return new PodReport(pod, node, status(PodPhase.RUNNING), false);
  }
}
