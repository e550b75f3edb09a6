package dev.vertlet.status;

import static dev.vertlet.testing.TestPods.pod;
import static dev.vertlet.testing.TestPods.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.ContainerStatusView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.status.StatusEntry.Step;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.TestPods;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusEntryTest {
  private final Random random = new Random(1);
  private final StatusEntry entry = new StatusEntry(pod("a").at(1).view());
  private long now;

  @Test
  void writesNothingWhenTheServerAlreadyHoldsIt() {
    report(PodPhase.PENDING, false);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  void writesTheNewestOfWhatCameWhileARequestWasInFlight() {
    report(PodPhase.RUNNING, false);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
    report(PodPhase.FAILED, false);
    report(PodPhase.SUCCEEDED, false);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
    entry.patched(2);
    Step.Patch patch = (Step.Patch) entry.next(false, now);
    assertThat(patch.body().toString()).contains("Succeeded").doesNotContain("Failed");
  }

  /**
   * Whoever else holds the pod holds what the watch brought: of two that say the same, one goes.
   */
  @Test
  void holdsWhatTheWatchBroughtWhetherThatOrTheAnswerCameFirst() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    PodStatusView brought = pod("a").in(PodPhase.RUNNING).at(5).view().status();
    entry.observed(pod("a").in(PodPhase.RUNNING).at(5).view().withStatus(brought));
    entry.patched(5);
    assertThat(entry.known()).isSameAs(brought);

    PodStatusView again = pod("a").in(PodPhase.RUNNING).at(5).view().status();
    entry.observed(pod("a").at(5).view().withStatus(again));

    assertThat(entry.known()).isSameAs(again);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  void anEchoOfAnOlderStateCausesNoWrite() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.patched(5);
    entry.observed(pod("a").at(3).view());
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  @Tag("C14")
  void c14AStatusThatSomebodyElseChangedIsPutRightOnce() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.patched(5);
    entry.observed(pod("a").in(PodPhase.PENDING).at(6).view());
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
    entry.patched(7);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  void anAnswerOlderThanTheWatchDoesNotHideWhatTheWatchSaw() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.observed(pod("a").in(PodPhase.PENDING).at(9).view());
    entry.patched(8);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
  }

  @Test
  void itsOwnWriteDoesNotHideWhatTheWatchHadNotBroughtYet() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    // somebody else wrote version 4 before this write made version 5
    entry.patched(5);
    entry.observed(pod("a").in(PodPhase.PENDING).at(4).view());
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
    entry.observed(pod("a").in(PodPhase.PENDING).at(5).view());
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"TRANSPORT", "TIMEOUT", "SERVER_ERROR"})
  void afterAWriteWithoutAnAnswerTheObjectIsReadBeforeAnotherStatusIsWritten(Kind kind) {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.failed(failure(kind), now, random);
    report(PodPhase.PENDING, false);
    now += Duration.ofSeconds(30).toNanos();
    // by what is known nothing would have to be written: the server held Pending
    assertThat(entry.next(false, now)).isInstanceOf(Step.Reread.class);
    assertThat(entry.reread(pod("a").in(PodPhase.RUNNING).at(2).view())).isNull();
    now += Duration.ofSeconds(30).toNanos();
    Step.Patch patch = (Step.Patch) entry.next(false, now);
    assertThat(patch.body().toString()).contains("Pending");
  }

  @Test
  void theSameStatusIsWrittenAgainWithoutReading() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.failed(failure(Kind.TRANSPORT), now, random);
    now += Duration.ofSeconds(30).toNanos();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
    entry.patched(3);
    report(PodPhase.SUCCEEDED, false);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
  }

  @Test
  void removesTheObjectOfADeletedPodOnlyAfterItsFinalStatus() {
    entry.observed(pod("a").deleted(30).at(2).view());
    report(PodPhase.SUCCEEDED, true);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
    entry.patched(3);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Delete.class);
    entry.removed();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  void profileFastSkipsTheFinalStatus() {
    entry.observed(pod("a").deleted(30).at(2).view());
    report(PodPhase.SUCCEEDED, true);
    assertThat(entry.next(true, now)).isInstanceOf(Step.Delete.class);
  }

  @Test
  void aFinishedPodThatNobodyDeletedStays() {
    report(PodPhase.SUCCEEDED, true);
    entry.next(false, now);
    entry.patched(2);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  @Tag("C11")
  void terminalPhasesAreFinal() {
    entry.observed(pod("a").in(PodPhase.SUCCEEDED).at(2).view());
    report(PodPhase.RUNNING, false);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  void aPodThatSomebodyElseEndedShowsHowItsContainersEnded() {
    entry.observed(pod("a").in(PodPhase.FAILED).at(2).view());
    ContainerStatusView container =
        new ContainerStatusView(
            "main",
            "image",
            "id",
            "c-1",
            0,
            false,
            false,
            new ContainerStateView.Terminated(0, 0, "Completed", null, null, null, "c-1"),
            null);
    entry.reported(
        new PodReport(
            TestPods.pod("a").ref(),
            "node",
            Statuses.in(PodPhase.SUCCEEDED).containers(List.of(container)).build(),
            true));
    Step.Patch patch = (Step.Patch) entry.next(false, now);
    assertThat(patch.body().toString()).contains("Completed").doesNotContain("phase");
    entry.patched(3);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  @Tag("C65")
  void c65RetriesWithTheNewestStatusUntilItLands() {
    report(PodPhase.RUNNING, false);
    for (int i = 0; i < 3; i++) {
      assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
      entry.failed(failure(Kind.THROTTLED), now, random);
      Step.Wait wait = (Step.Wait) entry.next(false, now);
      assertThat(wait.delay()).isPositive();
      now += wait.delay().toNanos();
    }
    report(PodPhase.SUCCEEDED, false);
    assertThat(((Step.Patch) entry.next(false, now)).body().toString()).contains("Succeeded");
  }

  @Test
  void aConflictIsLookedIntoBeforeTheNextTry() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.failed(failure(Kind.CONFLICT), now, random);
    now += Duration.ofSeconds(30).toNanos();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Reread.class);
    assertThat(entry.reread(pod("a").at(1).view())).isNull();
    now += Duration.ofSeconds(30).toNanos();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
  }

  @Test
  void aStatusThatTheServerRefusesIsNotSentAgain() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.failed(failure(Kind.INVALID), now, random);
    now += Duration.ofHours(1).toNanos();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Reread.class);
    assertThat(entry.reread(pod("a").at(1).view())).isNotNull();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
    report(PodPhase.FAILED, false);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
  }

  @Test
  void aRefusalBecauseThePodWasReplacedEndsTheWrites() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    entry.failed(failure(Kind.INVALID), now, random);
    now += Duration.ofSeconds(30).toNanos();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Reread.class);
    entry.removed();
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  @Test
  void forgetsWhatWasWantedInAnEarlierTermOfTheLease() {
    entry.inTerm(1);
    report(PodPhase.RUNNING, false);
    entry.inTerm(1);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Patch.class);
    entry.patched(2);
    report(PodPhase.SUCCEEDED, true);
    entry.inTerm(2);
    assertThat(entry.next(false, now)).isInstanceOf(Step.Idle.class);
  }

  private void report(PodPhase phase, boolean finished) {
    entry.reported(new PodReport(TestPods.pod("a").ref(), "node", status(phase), finished));
  }

  private static KubeException failure(Kind kind) {
    return new KubeException(kind, 500, "test", null, null);
  }
}
