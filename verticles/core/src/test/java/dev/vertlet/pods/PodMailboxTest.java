package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.loop.FailedTries;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.testing.Pods;
import dev.vertlet.testing.Scenario;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.TestPods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodMailboxTest {
  private final Random random = new Random(1);
  private final FailedTries.Retry retry = by(RetryPolicy.ENDLESS);
  private PodView seen = pod("a").view();
  private PodMailbox mailbox = new PodMailbox(seen);
  private boolean first;
  private long now;

  /**
   * Words with a capital are what the mailbox wants next, or is; the others are what happens to it.
   * virtual-kubelet §1.6: an enqueue during back-off brings the next run to now, one during a run
   * makes for another after it. kubelet §3: a static pod may come back under its UID.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          creates a new pod once | Create ok Idle
          keeps one operation in flight | Create deleted:30 Idle ok Delete:30
          what the provider released is not ended when it is gone | Create ok released NotOver gone Over Forget
          a pod that comes back during a call of the last term is taken over | Create released gone NotOver spec:2 reset Idle ok Create
          a pod that is gone when a call of the last term ends is forgotten | Create released gone ok Over
          updates when a label changed | Create ok label Update
          ignores a change of status alone | Create ok in:RUNNING Idle
          deletes with the grace of the deletion, again only when it shrinks | Create ok deleted:10 Delete:10 ok Idle deleted:2 Delete:2
          gives at least one second of grace | Create ok deleted:0 Delete:1
          asks the provider before it lets go of a deleted pod | first deleted:30 Delete:30 fails:NOT_FOUND Finish Idle
          what began before the lease was lost does not count afterwards | Create reset Idle ok Create ok Idle
          asks nothing more of a finished pod | Create ok finished deleted:5 Idle
          kills, then forgets, a pod that vanished | Create ok gone Kill ok Forget
          kills a pod that vanished while it was being created | Create gone Idle ok Kill
          leaves alone pods that ended before the agent started | first in:SUCCEEDED Idle
          ends what runs of a pod that somebody else made failed | Create ok in:FAILED Delete:30
          ends what may run of a pod that became failed during its create | Create in:FAILED ok Delete:30
          a policy may give up an update until the next one | Create ok spec:2 Update givesUp Idle hour spec:3 Update
          an enqueue ends the wait but not the back-off | Create slower enqueued Create slower Wait:2
          an enqueue during a try lets the next one follow at once | Create enqueued Idle fails:TEMPORARY Create fails:TEMPORARY Wait
          an enqueue during a try that succeeds repeats nothing | Create enqueued ok Idle spec:2 Update fails:TEMPORARY Wait
          an enqueue tries anew what was given up | Create twice Create twice Idle enqueued Create twice Create twice Idle enqueued Create
          an enqueue tries an update anew | Create ok enqueued Idle spec:2 Update givesUp Idle enqueued Update
          an enqueue does not try what the provider can never do | Create fails:INVALID enqueued Idle
          no policy gives up the end of a pod | Create ok deleted:30 Delete:30 givesUp Wait:300 hour Delete:30
          a deletion does not wait for the back-off of a create | Create fails:TEMPORARY deleted:30 Delete:30
          does not repeat what can never be done until the spec changes | Create fails:INVALID Idle spec:2 Create
          creates by the definition that came while an older one was refused | Create spec:2 fails:INVALID Create
          updates by the definition that came while an older one was refused | Create ok spec:3 Update spec:4 fails:UNSUPPORTED Update fails:UNSUPPORTED Idle
          forgets a pod that vanished and that the provider does not know | Create ok gone Kill fails:NOT_FOUND Forget
          creates anew what the provider lost | Create ok spec:2 Update fails:NOT_FOUND Create
          starts anew when the lease came back | Create ok reset Create
          the pod of a UID that was gone starts anew once the old one is ended | Create ok gone spec:2 Kill spec:3 Idle ok Create ok Idle
          the pod that came back may be gone again | Create ok gone spec:1 gone Kill ok Forget
          has ended once it is to be deleted and the provider is done | Create ok finished NotEnded deleted:30 Ended
          has not ended before the provider is done | Create ok deleted:30 NotEnded
          """)
  void wantsOneOperationAfterTheOther(String behaviour, String line) {
    play(line);
  }

  private FailedTries.Retry by(RetryPolicy policy) {
    return (tries, elapsed) ->
        policy.next(
            new FailedTry(seen.ref(), tries, elapsed, new IllegalStateException("busy")), random);
  }

  private void play(String line) {
    Scenario.play(line, this::step);
  }

  private void step(String word, String argument) {
    switch (word) {
      case "first" -> first = true;
      case "spec" -> observed(pod("a").withSpec(Integer.parseInt(argument)));
      case "label" -> observed(pod("a").withLabels(Map.of("x", "y")));
      case "in" -> observed(pod("a").in(PodPhase.valueOf(argument)).at(2));
      case "deleted" -> observed(pod("a").deleted(Long.parseLong(argument)));
      case "gone" -> mailbox.gone(now);
      case "enqueued" -> mailbox.enqueued(now);
      case "released" -> mailbox.elsewhere();
      case "reset" -> mailbox.reset();
      case "finished" -> mailbox.finished();
      case "ok" -> mailbox.succeeded();
      case "fails" -> mailbox.failed(Kind.valueOf(argument), now, retry);
      case "givesUp" -> mailbox.failed(Kind.TEMPORARY, now, (tries, elapsed) -> Optional.empty());
      case "slower" ->
          mailbox.failed(
              Kind.TEMPORARY, now, (tries, elapsed) -> Optional.of(Duration.ofSeconds(tries)));
      case "twice" ->
          mailbox.failed(
              Kind.TEMPORARY,
              now,
              (tries, elapsed) -> tries < 2 ? Optional.of(Duration.ZERO) : Optional.empty());
      case "hour" -> now += Duration.ofHours(1).toNanos();
      case "Over" -> assertThat(mailbox.over()).isTrue();
      case "NotOver" -> assertThat(mailbox.over()).isFalse();
      case "Ended" -> assertThat(mailbox.ended()).isTrue();
      case "NotEnded" -> assertThat(mailbox.ended()).isFalse();
      default -> wants(word, argument);
    }
  }

  private void wants(String operation, String seconds) {
    PodOperation next = mailbox.next(now);
    assertThat(next.getClass().getSimpleName()).isEqualTo(operation);
    if (next instanceof PodOperation.Create create) {
      assertThat(create.pod()).isEqualTo(seen);
    } else if (next instanceof PodOperation.Update update) {
      assertThat(update.pod()).isEqualTo(seen);
    } else if (next instanceof PodOperation.Kill kill) {
      assertThat(kill.pod()).isEqualTo(seen.ref());
    } else if (next instanceof PodOperation.Delete delete) {
      assertThat(delete.pod()).isEqualTo(seen);
      assertThat(delete.grace()).hasSeconds(Long.parseLong(seconds));
    } else if (next instanceof PodOperation.Wait wait && !seconds.isEmpty()) {
      assertThat(wait.delay()).hasSeconds(Long.parseLong(seconds));
    }
  }

  private void observed(TestPods pod) {
    seen = pod.view();
    if (first) {
      mailbox = new PodMailbox(seen);
      first = false;
    } else {
      mailbox.observed(seen);
    }
  }

  @Test
  @Tag("C17")
  void c17FiftyUpdatesInFlightBecomeOneAndTheLastWins() {
    play("Create ok spec:2 Update");
    for (int i = 3; i < 53; i++) {
      play("spec:" + i);
    }
    play("ok Update ok Idle");
    assertThat(mailbox.pod()).isEqualTo(pod("a").withSpec(52).view());
  }

  /** Who runs the pod holds an older state of it for as long: both are made of the same parts. */
  @Test
  void holdsWhatDidNotChangeOnce() {
    PodView before = pod("a").withLabels(Map.of("x", "y")).view();
    PodMailbox mailbox = new PodMailbox(before);

    mailbox.observed(pod("a").withLabels(Map.of("x", "y")).view());

    assertThat(mailbox.pod()).isNotSameAs(before);
    assertThat(mailbox.pod().ref()).isSameAs(before.ref());
    assertThat(mailbox.pod().labels()).isSameAs(before.labels());
    assertThat(mailbox.pod().spec()).isSameAs(before.spec());
  }

  @Test
  void holdsTheSpecThatIsNew() {
    PodMailbox mailbox = new PodMailbox(pod("a").withSpec(1).view());
    PodView newer = pod("a").withSpec(2).withLabels(Map.of("x", "y")).view();

    mailbox.observed(newer);

    assertThat(mailbox.pod()).isEqualTo(newer);
    assertThat(mailbox.pod().spec()).isSameAs(newer.spec());
  }

  @Test
  void updatesWhenAReadinessGateMoved() {
    mailbox = new PodMailbox(gated("False"));
    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Create.class);
    mailbox.succeeded();
    mailbox.observed(gated("True"));
    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Update.class);
    mailbox.succeeded();
    mailbox.observed(gated("True"));
    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Idle.class);
  }

  /** A pod whose readiness gate has this condition. */
  private static PodView gated(String status) {
    return Pods.of(pod("a").view())
        .gate("gate")
        .status(Statuses.in(PodPhase.PENDING).condition("gate", status).build())
        .build();
  }

  /** virtual-kubelet 2.4-9, the first half. */
  @Test
  @Tag("2.4-9")
  void triesForEverWithGrowingDelays() {
    Duration last = Duration.ZERO;
    for (int i = 0; i < 30; i++) {
      assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Create.class);
      mailbox.failed(Kind.TEMPORARY, now, retry);
      PodOperation.Wait wait = (PodOperation.Wait) mailbox.next(now);
      last = wait.delay();
      now += last.toNanos();
    }
    assertThat(last).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
  }

  /** virtual-kubelet 2.3-queue, §1.6: 20 handler runs in all, 10 ms to 1000 s apart. */
  @Test
  @Tag("2.3-queue")
  void aPolicyMayGiveUpACreateUntilTheSpecChanges() {
    FailedTries.Retry policy = by(RetryPolicy.VIRTUAL_KUBELET);
    List<Duration> waits = new ArrayList<>();
    while (mailbox.next(now) instanceof PodOperation.Create) {
      mailbox.failed(Kind.TEMPORARY, now, policy);
      if (mailbox.next(now) instanceof PodOperation.Wait wait) {
        waits.add(wait.delay());
        now += wait.delay().toNanos();
      }
    }
    assertThat(waits).hasSize(19).startsWith(Duration.ofMillis(10), Duration.ofMillis(20));
    assertThat(waits)
        .endsWith(Duration.ofMillis(655_360), Duration.ofSeconds(1000), Duration.ofSeconds(1000));
    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Idle.class);
    now += Duration.ofHours(1).toNanos();
    mailbox.observed(pod("a").withSpec(2).view());
    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Create.class);
  }

  @Test
  void aDeletionBacksOffFromTheBeginning() {
    for (int i = 0; i < 20; i++) {
      mailbox.next(now);
      mailbox.failed(Kind.TEMPORARY, now, retry);
      now += Duration.ofMinutes(6).toNanos();
    }
    mailbox.observed(pod("a").deleted(30).view());
    mailbox.next(now);
    mailbox.failed(Kind.TEMPORARY, now, retry);
    PodOperation.Wait wait = (PodOperation.Wait) mailbox.next(now);
    assertThat(wait.delay()).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void whatTheMirrorRemembersIsThePodsStatus() {
    mailbox.remembered(TestPods.status(PodPhase.RUNNING));
    assertThat(mailbox.next(now))
        .isEqualTo(new PodOperation.Create(pod("a").in(PodPhase.RUNNING).view()));
  }
}
