package dev.vertlet.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.TestPods;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** kubelet §11.4: what an agent knows of static pods from their mirrors. */
class StaticMailboxesTest {
  private static final PodView WEB = TestPods.pod("web").at(0).view();

  private final List<PodRef> ended = new ArrayList<>();
  private final StaticMailboxes statics = new StaticMailboxes(ended::add);

  private static PodView mirror(String uid, PodPhase phase, @Nullable String reason) {
    return mirror("web", uid, phase, reason);
  }

  private static PodView mirror(String name, String uid, PodPhase phase, @Nullable String reason) {
    return TestPods.mirror(WEB, name, uid, phase, reason);
  }

  private PodPhase remembered() {
    return statics.remembered(WEB).status().phase();
  }

  @Test
  void thePodIsAsItsMirrorShowsIt() {
    statics.observed(WEB.ref());
    assertThat(statics.remembered(WEB)).isEqualTo(WEB);
    statics.mirrored(mirror("m1", PodPhase.RUNNING, null));
    assertThat(remembered()).isEqualTo(PodPhase.RUNNING);
    statics.mirrored(mirror("m1", PodPhase.SUCCEEDED, null));
    assertThat(remembered()).isEqualTo(PodPhase.SUCCEEDED);
  }

  @Test
  void theMirrorOfAStaticPodIsKnownByItsUid() {
    statics.observed(WEB.ref());
    assertThat(statics.mirrorUid(WEB.ref())).isEmpty();
    statics.mirrored(mirror("m1", PodPhase.RUNNING, null));
    assertThat(statics.mirrorUid(WEB.ref())).isEqualTo("m1");
    assertThat(statics.mirrorUid(new PodRef("default", "web", "other"))).isEmpty();
  }

  @Test
  void aCopyOfAMirrorIsNoMemory() {
    statics.observed(WEB.ref());
    statics.mirrored(mirror("m1", PodPhase.RUNNING, null));
    PodView copy = mirror("copy", "c1", PodPhase.SUCCEEDED, null);
    statics.mirrored(copy);
    assertThat(remembered()).isEqualTo(PodPhase.RUNNING);
    statics.gone(copy.ref());
    assertThat(remembered()).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aMirrorThatIsGoneIsNoMemory() {
    statics.observed(WEB.ref());
    statics.mirrored(mirror("m1", PodPhase.RUNNING, null));
    statics.mirrored(mirror("m2", PodPhase.PENDING, null));
    statics.gone(mirror("m1", PodPhase.RUNNING, null).ref());
    assertThat(remembered()).isEqualTo(PodPhase.PENDING);
    statics.gone(mirror("m2", PodPhase.PENDING, null).ref());
    statics.mirrored(mirror("m3", PodPhase.RUNNING, null));
    assertThat(remembered()).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void whatAMirrorShowsLateIsNoMemoryOfTheNextPodOfTheSameUid() {
    statics.observed(WEB.ref());
    statics.mirrored(mirror("m1", PodPhase.RUNNING, null));
    statics.gone(WEB.ref());
    statics.mirrored(mirror("m1", PodPhase.SUCCEEDED, null));
    statics.observed(WEB.ref());
    assertThat(remembered()).isEqualTo(PodPhase.PENDING);
    statics.mirrored(mirror("m2", PodPhase.RUNNING, null));
    assertThat(remembered()).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aPodThatWasEndedAsAWholeBeginsANewLife() {
    PodMailbox mailbox = new PodMailbox(WEB);
    statics.observed(WEB.ref());
    statics.mirrored(mirror("m1", PodPhase.RUNNING, null));
    statics.remind(List.of(mailbox));
    assertThat(mailbox.pod().status().phase()).isEqualTo(PodPhase.RUNNING);
    statics.mirrored(mirror("m1", PodPhase.FAILED, "Terminated"));
    statics.remind(List.of(mailbox));
    assertThat(mailbox.pod().status()).isEqualTo(PodStatusView.EMPTY);
  }

  @Test
  void aPodWhoseContainersFailedStaysFailed() {
    PodMailbox mailbox = new PodMailbox(WEB);
    PodMailbox other = new PodMailbox(TestPods.pod("other").view());
    statics.observed(WEB.ref());
    statics.mirrored(mirror("m1", PodPhase.FAILED, null));
    statics.remind(List.of(mailbox, other));
    assertThat(mailbox.endedBefore()).isTrue();
    assertThat(other.pod()).isEqualTo(TestPods.pod("other").view());
  }

  @Test
  void onlyTheEndOfAStaticPodIsTold() {
    PodMailbox mailbox = new PodMailbox(TestPods.pod("web").deleted(30).view());
    mailbox.finished();
    statics.tellIfEnded(mailbox);
    assertThat(ended).isEmpty();
    statics.observed(WEB.ref());
    statics.tellIfEnded(mailbox);
    assertThat(ended).containsExactly(WEB.ref());
  }
}
