package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.testing.TestPods;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of virtual-kubelet's own tests, §2.1, about what is called when; against the pure core. */
class VirtualKubeletRowsTest {
  private final Random random = new Random(1);
  private long now;

  private PodMailbox created(TestPods pod) {
    PodMailbox mailbox = new PodMailbox(pod.view());
    mailbox.next(now);
    mailbox.succeeded();
    return mailbox;
  }

  static Stream<Arguments> changes() {
    TestPods before = pod("a").at(1);
    TestPods dying = before.deleted(30);
    return Stream.of(
        row("PodsEqual", before, before, PodOperation.Idle.class),
        row("PodsDifferent", before, before.withSpec(2).at(2), PodOperation.Update.class),
        row(
            "PodsDifferentIgnoreValue",
            before,
            before.in(PodPhase.RUNNING),
            PodOperation.Idle.class),
        row("PodShouldEnqueue deletionTimestamp", before, dying.at(2), PodOperation.Delete.class),
        row(
            "PodShouldEnqueue label",
            before,
            before.withLabels(Map.of("a", "b")).at(2),
            PodOperation.Update.class),
        row("PodShouldEnqueue grace value", dying, dying.deleted(5), PodOperation.Delete.class),
        row(
            "PodShouldEnqueue status only",
            before,
            before.in(PodPhase.RUNNING),
            PodOperation.Idle.class),
        row("CompareResourceVersion", before, before.at(9), PodOperation.Idle.class),
        row("PodUpdateExisting", before, before.withSpec(2), PodOperation.Update.class),
        row("PodNoSpecChange", before, before.at(2), PodOperation.Idle.class),
        row("§1.7 rule 4, a deletion said twice", dying, dying.at(2), PodOperation.Idle.class));
  }

  private static Arguments row(
      String id, TestPods before, TestPods after, Class<? extends PodOperation> expected) {
    return Arguments.of(id, before, after, expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  @Tag("CompareResourceVersion")
  @Tag("PodNoSpecChange")
  @Tag("PodShouldEnqueue")
  @Tag("PodUpdateExisting")
  @Tag("PodsDifferent")
  @Tag("PodsDifferentIgnoreValue")
  @Tag("PodsEqual")
  void whatIsCalledAfterAChange(
      String id, TestPods before, TestPods after, Class<? extends PodOperation> expected) {
    PodMailbox mailbox = created(before);

    mailbox.observed(after.view());

    assertThat(mailbox.next(now)).isInstanceOf(expected);
  }

  /** PodCreateNewPod: one create, no update. */
  @Test
  @Tag("PodCreateNewPod")
  void anUnknownPodIsCreatedAndNothingElse() {
    PodView pod = pod("a").view();
    PodMailbox mailbox = new PodMailbox(pod);

    assertThat(mailbox.next(now)).isEqualTo(new PodOperation.Create(pod));
    mailbox.succeeded();
    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Idle.class);
  }

  /** §1.7 rule 6. */
  @Test
  void aPodThatHasEndedIsSkipped() {
    for (PodPhase phase : new PodPhase[] {PodPhase.FAILED, PodPhase.SUCCEEDED}) {
      PodMailbox mailbox = new PodMailbox(pod("a").in(phase).view());

      assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Idle.class);
    }
  }

  /** 2.4-3: what runs nothing yet is ended by the provider before its object goes. */
  @Test
  @Tag("2.4-3")
  void aPodDeletedWhileItWaitsIsDeletedInTheProvider() {
    PodMailbox mailbox = created(pod("a"));

    mailbox.observed(pod("a").deleted(30).view());

    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Delete.class);
  }

  /** 2.4-9, the second half: a permanent error is tried once. */
  @Test
  @Tag("2.4-9")
  void aPodThatCanNeverRunIsTriedOnce() {
    PodMailbox mailbox = new PodMailbox(pod("a").view());
    mailbox.next(now);

    mailbox.failed(
        Kind.INVALID,
        now,
        (tries, elapsed) ->
            RetryPolicy.ENDLESS.next(
                new FailedTry(pod("a").ref(), tries, elapsed, new IllegalStateException()),
                random));

    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Idle.class);
  }

  /** §1.5, podShouldEnqueue: a label is enough for an update. */
  @Test
  void aLabelChangeIsDelivered() {
    PodMailbox mailbox = created(pod("a"));

    mailbox.observed(pod("a").withLabels(Map.of("x", "y")).view());

    assertThat(mailbox.next(now)).isInstanceOf(PodOperation.Update.class);
  }
}
