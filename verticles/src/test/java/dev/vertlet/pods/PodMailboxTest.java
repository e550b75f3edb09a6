package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodPhase;
import dev.vertlet.pods.PodMailbox.Operation;
import dev.vertlet.provider.ProviderException.Kind;
import dev.vertlet.testing.TestPods;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PodMailboxTest {
  private final Random random = new Random(1);
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
  void updatesWhenALabelChanged() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").withLabels(Map.of("x", "y")).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Update.class);
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
    mailbox.failed(Kind.NOT_FOUND, now, random);
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
  void triesForEverWithGrowingDelays() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    Duration last = Duration.ZERO;
    for (int i = 0; i < 30; i++) {
      assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
      mailbox.failed(Kind.TEMPORARY, now, random);
      Operation.Wait wait = (Operation.Wait) mailbox.next(now);
      last = wait.delay();
      now += last.toNanos();
    }
    assertThat(last).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
  }

  @Test
  void aDeletionDoesNotWaitForTheBackoffOfACreate() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, random);
    mailbox.observed(pod("a").deleted(30).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Delete.class);
  }

  @Test
  void doesNotRepeatWhatTheProviderCanNeverDoUntilTheSpecChanges() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);
    mailbox.failed(Kind.INVALID, now, random);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Idle.class);
    mailbox.observed(pod("a").withSpec(2).view(), now);
    assertThat(mailbox.next(now)).isInstanceOf(Operation.Create.class);
  }

  @Test
  void createsAnewWhatTheProviderLost() {
    PodMailbox mailbox = created("a");
    mailbox.observed(pod("a").withSpec(2).view(), now);
    mailbox.next(now);
    mailbox.failed(Kind.NOT_FOUND, now, random);
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
}
