package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.ConditionView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.pods.PodMailbox.Operation;
import dev.vertlet.provider.ProviderException.Kind;
import dev.vertlet.provider.RetryPolicy;
import dev.vertlet.testing.TestPods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PodMailboxTest {
  private final Random random = new Random(1);
  private final IntFunction<Optional<Duration>> retry =
      tries -> RetryPolicy.ENDLESS.next(tries, new IllegalStateException("busy"), random);
  private long now;

  @Test
  void createsANewPodOnce() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void keepsOneOperationInFlight() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.observed(pod("a").deleted(30).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Delete.class);
  }

  @Test
  @Tag("C17")
  void c17FiftyUpdatesInFlightBecomeOneAndTheLastWins() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.next(now);
    for (int i = 3; i < 53; i++) {
      mailbox.observed(pod("a").withSpec(i).view(), now);
    }
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Update(pod("a").withSpec(52).view()));
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void whatTheProviderReleasedIsNotEndedWhenItIsGone() {
    PodMailbox mailbox = created("a");
    mailbox.released();
    assertThat(mailbox.over()).isFalse();
    mailbox.gone(now);
    assertThat(mailbox.over()).isTrue();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Forget.class);
  }

  @Test
  void aPodThatComesBackWhileACallOfTheLastTermIsUnderWayIsTakenOver() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.released();
    mailbox.gone(now);
    assertThat(mailbox.over()).as("two calls at once are never made").isFalse();
    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.reset(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Create(pod("a").withSpec(2).view()));
  }

  @Test
  void aPodThatIsGoneWhenACallOfTheLastTermEndsIsForgotten() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.released();
    mailbox.gone(now);
    mailbox.succeeded();
    assertThat(mailbox.over()).isTrue();
  }

  /** Who runs the pod holds an older state of it for as long: both are made of the same parts. */
  @Test
  void holdsWhatDidNotChangeOnce() {
    PodView before = pod("a").withLabels(Map.of("x", "y")).view();
    PodMailbox mailbox = new PodMailbox(before);

    mailbox.observed(pod("a").withLabels(Map.of("x", "y")).view(), now);

    assertThat(mailbox.pod()).isNotSameAs(before);
    assertThat(mailbox.pod().ref()).isSameAs(before.ref());
    assertThat(mailbox.pod().labels()).isSameAs(before.labels());
    assertThat(mailbox.pod().spec()).isSameAs(before.spec());
  }

  @Test
  void holdsTheSpecThatIsNew() {
    PodMailbox mailbox = new PodMailbox(pod("a").withSpec(1).view());
    PodView newer = pod("a").withSpec(2).withLabels(Map.of("x", "y")).view();

    mailbox.observed(newer, now);

    assertThat(mailbox.pod()).isEqualTo(newer);
    assertThat(mailbox.pod().spec()).isSameAs(newer.spec());
  }

  @Test
  void updatesWhenALabelChanged() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").withLabels(Map.of("x", "y")).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Update.class);
  }

  @Test
  void updatesWhenAReadinessGateMoved() {
    PodMailbox mailbox = new PodMailbox(gated("False"));
    mailbox.next(now);
    mailbox.succeeded();
    mailbox.observed(gated("True"), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Update.class);
    mailbox.succeeded();
    mailbox.observed(gated("True"), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  /** A pod whose readiness gate has this condition. */
  private static PodView gated(String status) {
    PodView plain = pod("a").view();
    PodSpecView spec = plain.spec();
    PodStatusView s = plain.status();
    PodSpecView gated =
        new PodSpecView(
            spec.hash(),
            spec.restartPolicy(),
            30,
            null,
            false,
            0,
            List.of("gate"),
            List.of(),
            spec.containers(),
            List.of());
    PodStatusView held =
        new PodStatusView(
            s.phase(),
            null,
            null,
            null,
            List.of(),
            null,
            null,
            List.of(new ConditionView("gate", status, null, null, null, null)),
            List.of(),
            List.of(),
            List.of());
    return new PodView(
        plain.ref(), 1, 1, "node", Map.of(), Map.of(), null, null, null, null, gated, held);
  }

  @Test
  void ignoresAChangeOfStatusAlone() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").in(PodPhase.RUNNING).at(2).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void deletesWithTheGraceOfTheDeletionAndAgainOnlyWhenItShrinks() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").deleted(10).view(), now);
    assertThat(mailbox.next(now))
        .isEqualTo(new Operation.Delete(pod("a").deleted(10).view(), Duration.ofSeconds(10)));
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.observed(pod("a").deleted(2).view(), now);
    assertThat(mailbox.next(now))
        .isEqualTo(new Operation.Delete(pod("a").deleted(2).view(), Duration.ofSeconds(2)));
  }

  @Test
  void givesAtLeastOneSecondOfGrace() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").deleted(0).view(), now);
    assertThat(mailbox.next(now))
        .isEqualTo(new Operation.Delete(pod("a").deleted(0).view(), Duration.ofSeconds(1)));
  }

  @Test
  void asksTheProviderBeforeItLetsGoOfADeletedPodSeenForTheFirstTime() {
    PodMailbox mailbox = new PodMailbox(pod("a").deleted(30).view());
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Delete.class);
    mailbox.failed(Kind.NOT_FOUND, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Finish.class);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void whatBeganBeforeTheLeaseWasLostDoesNotCountAfterwards() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
    mailbox.reset(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void asksNothingMoreOfAFinishedPod() {
    PodMailbox mailbox = created("a");
    mailbox.finished();
    mailbox.observed(pod("a").deleted(5).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void killsThenForgetsAPodThatVanished() {
    PodMailbox mailbox = created("a");
    mailbox.gone(now);
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Kill(pod("a").ref()));
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Forget.class);
  }

  @Test
  void killsAPodThatVanishedWhileItWasBeingCreated() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.gone(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Kill.class);
  }

  @Test
  void leavesAlonePodsThatEndedBeforeTheAgentStarted() {
    PodMailbox mailbox = new PodMailbox(pod("a").in(PodPhase.SUCCEEDED).view());
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void endsWhatRunsOfAPodThatSomebodyElseMadeFailed() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").in(PodPhase.FAILED).at(2).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Delete.class);
  }

  @Test
  void endsWhatMayRunOfAPodThatBecameFailedWhileItsCreateWasPending() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.observed(pod("a").in(PodPhase.FAILED).at(2).view(), now);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Delete.class);
  }

  /** virtual-kubelet 2.4-9, the first half. */
  @Test
  @Tag("2.4-9")
  void triesForEverWithGrowingDelays() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    Duration last = Duration.ZERO;
    for (int i = 0; i < 30; i++) {
      assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
      mailbox.failed(Kind.TEMPORARY, now, retry);
      Operation.Wait wait = (Operation.Wait) mailbox.next(now);
      last = wait.delay();
      now += last.toNanos();
    }
    assertThat(last).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
  }

  /** virtual-kubelet 2.3-queue, §1.6: 20 handler runs in all, 10 ms to 1000 s apart. */
  @Test
  @Tag("2.3-queue")
  void aPolicyMayGiveUpACreateUntilTheSpecChanges() {
    IntFunction<Optional<Duration>> policy =
        tries -> RetryPolicy.VIRTUAL_KUBELET.next(tries, new IllegalStateException(), random);
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    List<Duration> waits = new ArrayList<>();
    while (mailbox.next(now) instanceof Operation.Create) {
      mailbox.failed(Kind.TEMPORARY, now, policy);
      if (mailbox.next(now) instanceof Operation.Wait wait) {
        waits.add(wait.delay());
        now += wait.delay().toNanos();
      }
    }
    assertThat(waits).hasSize(19).startsWith(Duration.ofMillis(10), Duration.ofMillis(20));
    assertThat(waits)
        .endsWith(Duration.ofMillis(655_360), Duration.ofSeconds(1000), Duration.ofSeconds(1000));
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    now += Duration.ofHours(1).toNanos();
    mailbox.observed(pod("a").withSpec(2).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
  }

  @Test
  void aPolicyMayGiveUpAnUpdateUntilTheNextOne() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, tries -> Optional.empty());
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    now += Duration.ofHours(1).toNanos();
    mailbox.observed(pod("a").withSpec(3).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Update.class);
  }

  /** virtual-kubelet §1.6: an enqueue during back-off brings the next run to now. */
  @Test
  void anEnqueueEndsTheWaitButNotTheBackOff() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, tries -> Optional.of(Duration.ofSeconds(tries)));
    mailbox.enqueued(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
    mailbox.failed(Kind.TEMPORARY, now, tries -> Optional.of(Duration.ofSeconds(tries)));
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Wait(Duration.ofSeconds(2)));
  }

  /** virtual-kubelet §1.6: what is enqueued while it runs, runs once more after it. */
  @Test
  void anEnqueueDuringATryLetsTheNextOneFollowAtOnce() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.enqueued(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.failed(Kind.TEMPORARY, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
    mailbox.failed(Kind.TEMPORARY, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Wait.class);
  }

  @Test
  void anEnqueueDuringATryThatSucceedsRepeatsNothing() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.enqueued(now);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Wait.class);
  }

  @Test
  void anEnqueueTriesAnewWhatWasGivenUp() {
    IntFunction<Optional<Duration>> twice =
        tries -> tries < 2 ? Optional.of(Duration.ZERO) : Optional.empty();
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    for (int i = 0; i < 2; i++) {
      mailbox.next(now);
      mailbox.failed(Kind.TEMPORARY, now, twice);
      assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
      mailbox.failed(Kind.TEMPORARY, now, twice);
      assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
      mailbox.enqueued(now);
    }
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
    mailbox.succeeded();
    mailbox.enqueued(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);

    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, tries -> Optional.empty());
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.enqueued(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Update.class);
  }

  @Test
  void anEnqueueDoesNotTryWhatTheProviderCanNeverDo() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.failed(Kind.INVALID, now, retry);
    mailbox.enqueued(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void noPolicyGivesUpTheEndOfAPod() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").deleted(30).view(), now);
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, tries -> Optional.empty());
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Wait(Duration.ofMinutes(5)));
    now += Duration.ofMinutes(5).toNanos();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Delete.class);
  }

  @Test
  void aDeletionDoesNotWaitForTheBackoffOfACreate() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, retry);
    mailbox.observed(pod("a").deleted(30).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Delete.class);
  }

  @Test
  void aDeletionBacksOffFromTheBeginning() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    for (int i = 0; i < 20; i++) {
      mailbox.next(now);
      mailbox.failed(Kind.TEMPORARY, now, retry);
      now += Duration.ofMinutes(6).toNanos();
    }
    mailbox.observed(pod("a").deleted(30).view(), now);
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, retry);
    Operation.Wait wait = (Operation.Wait) mailbox.next(now);
    assertThat(wait.delay()).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void doesNotRepeatWhatTheProviderCanNeverDoUntilTheSpecChanges() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.failed(Kind.INVALID, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.observed(pod("a").withSpec(2).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
  }

  @Test
  void triesTheDefinitionThatCameWhileAnOlderOneWasRefused() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.failed(Kind.INVALID, now, retry);
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Create(pod("a").withSpec(2).view()));
    mailbox.succeeded();
    mailbox.observed(pod("a").withSpec(3).view(), now);
    mailbox.next(now);
    mailbox.observed(pod("a").withSpec(4).view(), now);
    mailbox.failed(Kind.UNSUPPORTED, now, retry);
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Update(pod("a").withSpec(4).view()));
    mailbox.failed(Kind.UNSUPPORTED, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void forgetsAPodThatVanishedAndThatTheProviderDoesNotKnow() {
    PodMailbox mailbox = created("a");
    mailbox.gone(now);
    mailbox.next(now);
    mailbox.failed(Kind.NOT_FOUND, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Forget.class);
  }

  @Test
  void createsAnewWhatTheProviderLost() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.next(now);
    mailbox.failed(Kind.NOT_FOUND, now, retry);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
  }

  @Test
  void startsAnewWhenTheLeaseCameBack() {
    PodMailbox mailbox = created("a");
    mailbox.reset(now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
  }

  private PodMailbox created(String name) {
    TestPods pod = pod(name);
    PodMailbox mailbox = new PodMailbox(pod.view());
    mailbox.next(now);
    mailbox.succeeded();
    return mailbox;
  }

  /** kubelet §3: a static pod may come back under its UID. */
  @Test
  void thePodOfAUidThatWasGoneStartsAnewOnceTheOldOneIsEnded() {
    PodMailbox mailbox = created("a");
    mailbox.gone(now);
    mailbox.observed(pod("a").withSpec(2).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Kill.class);
    mailbox.observed(pod("a").withSpec(3).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isEqualTo(new Operation.Create(pod("a").withSpec(3).view()));
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
  }

  @Test
  void thePodThatCameBackMayBeGoneAgain() {
    PodMailbox mailbox = created("a");
    mailbox.gone(now);
    mailbox.observed(pod("a").view(), now);
    mailbox.gone(now);
    mailbox.next(now);
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Forget.class);
  }

  @Test
  void hasEndedOnceItIsToBeDeletedAndTheProviderIsDone() {
    PodMailbox mailbox = created("a");
    mailbox.finished();
    assertThat(mailbox.ended()).isFalse();
    mailbox.observed(pod("a").deleted(30).view(), now);
    assertThat(mailbox.ended()).isTrue();
    PodMailbox unknown = created("a");
    unknown.observed(pod("a").deleted(30).view(), now);
    assertThat(unknown.ended()).isFalse();
  }

  @Test
  void whatTheMirrorRemembersIsThePodsStatus() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.remembered(TestPods.status(PodPhase.RUNNING));
    assertThat(mailbox.next(now))
        .isEqualTo(new Operation.Create(pod("a").in(PodPhase.RUNNING).view()));
  }
}
