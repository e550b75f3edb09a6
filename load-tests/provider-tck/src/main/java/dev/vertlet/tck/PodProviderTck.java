package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.stream.ContainerTarget;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Checks every promise of {@link PodProvider}. */
public abstract class PodProviderTck extends PodOperations {
  @Test
  void theInputIsConstantAndNotFiles() {
    assertThat(provider.input())
        .isNotNull()
        .isNotEqualTo(PodInput.FILES)
        .isEqualTo(provider.input());
  }

  @Test
  void newContentIsTakenAgainAndAgainAndOfAPodThatIsGone() {
    Assumptions.assumeTrue(provider.input() == PodInput.VALUES, "takes no content");
    TckPod pod = pod("a");
    PodReport running = runs(pod);
    List<VolumeContent> content =
        List.of(
            new VolumeContent(
                "tck", "configMap", List.of(new ContentFile("k", Buffer.buffer("v"), 0644, null))));

    lab().call(() -> provider.contentChanged(pod.ref(), content));
    lab().call(() -> provider.contentChanged(pod.ref(), content));

    assertThat(Objects.requireNonNull(context.last(pod.ref())).status().phase())
        .isEqualTo(running.status().phase());
    delete(pod, Duration.ofSeconds(1));
    awaitFinished(pod);
    doneOrNotFound(lab().begin(() -> provider.contentChanged(pod.ref(), content)));
  }

  @Test
  void aNewProviderHasNoPods() {
    assertThat(lab().call(provider::list)).isEmpty();
    assertThat(lab().call(() -> provider.get(pod("a").ref()))).isEmpty();
  }

  @Test
  void aCreatedPodIsReportedUntilItRuns() {
    TckPod pod = pod("a");

    PodReport report = runs(pod);

    assertThat(report.node()).isEqualTo(Lab.NODE);
    assertThat(report.finished()).isFalse();
    assertThat(report.status().containerStatuses())
        .extracting(ContainerStatusView::name)
        .containsExactlyElementsOf(
            pod.view().spec().containers().stream().map(container -> container.name()).toList());
    assertThat(running(report.status())).isNotEmpty();
  }

  @Test
  void getAndListSayWhatWasReported() {
    TckPod pod = pod("a");
    runs(pod);

    lab()
        .eventually(
            () -> {
              PodReport reported = Objects.requireNonNull(context.last(pod.ref()));
              assertThat(lab().call(() -> provider.get(pod.ref()))).contains(reported);
              assertThat(listed(pod)).containsExactly(reported);
            });
  }

  @Test
  void createOfAPodThatRunsChangesNothing() {
    TckPod pod = pod("a");
    PodReport before = runs(pod);

    create(pod.with(before.status()));

    PodReport after = lab().call(() -> provider.get(pod.ref())).orElseThrow();
    assertThat(after.status().containerStatuses())
        .usingRecursiveComparison()
        .isEqualTo(before.status().containerStatuses());
    assertThat(listed(pod)).hasSize(1);
  }

  @Test
  void anUpdateOfLabelsLeavesThePodRunning() {
    TckPod pod = pod("a");
    PodReport before = runs(pod);
    TckPod labelled = pod.with(before.status()).labelled("color", "red");

    lab().call(() -> updatePod(labelled));
    lab().call(() -> updatePod(labelled));

    PodReport after = lab().call(() -> provider.get(pod.ref())).orElseThrow();
    assertThat(after.status().phase()).isEqualTo(PodPhase.RUNNING);
    assertThat(restarts(after)).isEqualTo(restarts(before));
  }

  @Test
  void anUpdateOfAnUnknownPodIsTakenOrNotFound() {
    TckPod pod = pod("a");
    context.holds(pod);

    doneOrNotFound(lab().begin(() -> updatePod(pod)));
  }

  @Test
  void aDeletedPodEndsAndSaysSo() {
    TckPod pod = pod("a");
    runs(pod);

    delete(pod, GRACE);

    awaitFinished(pod);
    PodReport last = Objects.requireNonNull(context.last(pod.ref()));
    assertThat(last.status().phase().terminal()).isTrue();
    assertThat(last.status().containerStatuses())
        .allMatch(container -> container.state() instanceof ContainerStateView.Terminated);
  }

  @Test
  void aPodMayBeDeletedBeforeItRuns() {
    TckPod pod = pod("a");
    create(pod);

    delete(pod, GRACE);

    awaitFinished(pod);
  }

  @Test
  void aDeletionMayBeRepeatedAndHurried() {
    TckPod pod = pod("a");
    runs(pod);

    delete(pod, GRACE);
    doneOrNotFound(
        lab().begin(() -> provider.delete(pod.deleted(5).view(), Duration.ofSeconds(5))));
    doneOrNotFound(
        lab().begin(() -> provider.delete(pod.deleted(1).view(), Duration.ofSeconds(1))));

    awaitFinished(pod);
  }

  @Test
  void callsForAPodThatIsFinishedDoNoHarm() {
    TckPod pod = pod("a");
    runs(pod);
    delete(pod, GRACE);
    awaitFinished(pod);

    doneOrNotFound(
        lab().begin(() -> provider.delete(pod.deleted(1).view(), Duration.ofSeconds(1))));
    lab().call(() -> provider.kill(pod.ref()));

    awaitForgotten(pod);
  }

  @Test
  void theDeletionOfAnUnknownPodIsNotFoundOrFinished() {
    TckPod pod = pod("a").deleted(1);
    context.holds(pod);

    Throwable failure =
        lab()
            .call(
                () ->
                    provider
                        .delete(pod.view(), Duration.ofSeconds(1))
                        .transform(
                            answer ->
                                Future.succeededFuture(
                                    answer.failed() ? answer.cause() : new Throwable("none"))));

    if ("none".equals(failure.getMessage())) {
      awaitFinished(pod);
    } else {
      assertThat(ProviderException.kindOf(failure)).as("%s", failure).isEqualTo(Kind.NOT_FOUND);
    }
  }

  @Test
  void aKilledPodIsForgottenWithoutAWord() {
    TckPod pod = pod("a");
    runs(pod);

    lab().call(() -> provider.kill(pod.ref()));
    int before = context.reports(pod.ref()).size();

    awaitForgotten(pod);
    assertThat(context.reports(pod.ref())).hasSize(before);
  }

  @Test
  void theKillOfAnUnknownPodSucceeds() {
    lab().call(() -> provider.kill(pod("a").ref()));
  }

  @Test
  void aKillOvertakesADeletion() {
    TckPod pod = pod("a");
    runs(pod);

    delete(pod, GRACE);
    lab().call(() -> provider.kill(pod.ref()));

    awaitForgotten(pod);
  }

  @Test
  void podsOfOneNameAreToldApartByTheirUid() {
    TckPod old = pod("a");
    TckPod young = pod("a");
    runs(old);
    runs(young);

    lab().call(() -> provider.kill(old.ref()));

    awaitForgotten(old);
    assertThat(lab().call(() -> provider.get(young.ref())))
        .hasValueSatisfying(
            report -> assertThat(report.status().phase()).isEqualTo(PodPhase.RUNNING));
  }

  @Test
  void manyPodsRunAndEndAtOnce() {
    List<TckPod> pods = IntStream.range(0, crowd()).mapToObj(i -> pod("p" + i)).toList();
    pods.forEach(context::holds);

    lab().call(() -> Future.all(pods.stream().map(this::createPod).toList()));
    pods.forEach(this::awaitRunning);
    assertThat(lab().call(provider::list)).hasSize(pods.size());
    lab()
        .call(
            () ->
                Future.all(
                    pods.stream().map(p -> provider.delete(p.deleted(30).view(), GRACE)).toList()));

    pods.forEach(this::awaitFinished);
  }

  @Test
  void aReleasedNodeIsForgottenAndItsPodsRunOn() {
    TckPod pod = pod("a");
    TckPod other = podOn(Lab.OTHER_NODE, "b");
    PodReport before = runs(pod);
    runs(other);

    lab().call(() -> provider.release(Lab.NODE));
    int said = context.reports(pod.ref()).size();

    assertThat(listed(pod)).isEmpty();
    assertThat(listed(other)).hasSize(1);
    assertThat(context.reports(pod.ref())).hasSize(said);

    PodReport again = runs(pod.with(before.status()));
    assertThat(restarts(again)).isEqualTo(restarts(before));
  }

  @Test
  void theReleaseOfANodeWithoutPodsSucceeds() {
    lab().call(() -> provider.release(Lab.OTHER_NODE));
  }

  @Test
  void podsAreTakenOverAfterARestartOfTheAgent() {
    TckPod pod = pod("a");
    PodReport before = runs(pod);
    lab().call(provider::stop);
    restart();

    PodReport after = runs(pod.with(before.status()));

    assertThat(restarts(after)).isEqualTo(restarts(before));
    assertThat(after.status().podIPs()).isEqualTo(before.status().podIPs());
    delete(pod.with(after.status()), GRACE);
    awaitFinished(pod);
  }

  @Test
  void aPodThatCanNeverRunIsInvalidEachTime() {
    TckPod bad = impossible().map(change -> change.apply(pod("a"))).orElse(null);
    Assumptions.assumeTrue(bad != null, "the provider takes every pod");
    TckPod pod = Objects.requireNonNull(bad);
    context.holds(pod);

    for (int i = 0; i < 2; i++) {
      Throwable failure = lab().failure(() -> createPod(pod));

      assertThat(ProviderException.kindOf(failure)).as("%s", failure).isEqualTo(Kind.INVALID);
      assertThat(failure).hasMessageMatching("(?s).+");
    }
    assertThat(listed(pod)).isEmpty();
  }

  @Test
  void itsNodesAnswerPings() {
    NodeProvider nodes = lab().call(() -> Future.succeededFuture(provider.nodes()));

    lab().call(() -> nodes.ping(Lab.NODE));
    assertThat(lab().call(() -> Future.succeededFuture(nodes.health(Lab.NODE)))).isNotNull();
  }

  @Test
  void itMayBeStoppedTwice() {
    runs(pod("a"));

    lab().call(provider::stop);
    lab().call(provider::stop);
  }

  private StreamPromises streams(TckPod pod) {
    return new StreamPromises(lab(), provider.streams(), target(pod));
  }

  private static ContainerTarget target(TckPod pod) {
    return new ContainerTarget(pod.ref(), Lab.NODE, "main", "");
  }

  @Test
  void logsAreChosenTimedAndCut() {
    TckPod pod = pod("a");
    runs(pod);

    streams(pod).logs();
  }

  @Test
  void aLogThatIsFollowedEndsWithItsContainer() {
    TckPod pod = pod("a");
    runs(pod);

    streams(pod).logsEndWith(() -> delete(pod.deleted(30), GRACE));
  }

  @Test
  void commandsAreAnsweredInFull() {
    TckPod pod = pod("a");
    runs(pod);

    streams(pod).commands(copyingCommand());
  }

  @Test
  void sessionsEndWithTheirClients() {
    TckPod pod = pod("a");
    runs(pod);

    streams(pod).sessions();
  }

  @Test
  void whoIsAttachedLearnsOfTheEnd() {
    TckPod pod = pod("a");
    runs(pod);

    streams(pod).attachEndsWith(() -> delete(pod.deleted(30), GRACE));
  }

  @Test
  void aCheckpointLeavesTheContainerRunning() {
    TckPod pod = pod("a");
    runs(pod);

    streams(pod).checkpoint();

    awaitRunning(pod);
  }

  @Test
  void streamsOfWhatIsUnknownAreNotFound() {
    TckPod pod = pod("a");
    runs(pod);

    streams(pod).unknown(target(pod("b")));
  }
}
