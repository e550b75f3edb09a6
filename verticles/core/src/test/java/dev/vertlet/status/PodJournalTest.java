package dev.vertlet.status;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.NodePodCounts;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import dev.vertlet.bus.PodTimeline.Mark;
import dev.vertlet.bus.PodTimeline.Step;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.TestPods;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodJournalTest {
  private long now = 1_000;
  private int wakes;
  private final PodJournal journal = new PodJournal(3, () -> now, () -> wakes++);

  private static PodStatusView ready(PodPhase phase, String ready) {
    return Statuses.in(phase).condition("Ready", ready).build();
  }

  private static PodView observed(TestPods pod, PodStatusView status) {
    return pod.view().withStatus(status);
  }

  private StatusEntry seen(PodView pod) {
    StatusEntry entry = new StatusEntry(pod);
    journal.seen(entry);
    return entry;
  }

  private void report(StatusEntry entry, PodStatusView status, boolean finished) {
    journal.reported(entry, new PodReport(entry.ref(), "node", status, finished));
  }

  private void observe(StatusEntry entry, PodView pod) {
    entry.observed(pod);
    journal.changed(entry);
  }

  @Test
  void aStartIsToldWithWhatItReachedWhen() {
    StatusEntry entry = seen(pod("a").view());
    now += 10;
    report(entry, TestPods.status(PodPhase.PENDING), false);
    now += 10;
    report(entry, ready(PodPhase.RUNNING, "False"), false);
    now += 10;
    report(entry, ready(PodPhase.RUNNING, "True"), false);
    report(entry, ready(PodPhase.RUNNING, "True"), false);
    now += 10;
    observe(entry, observed(pod("a").at(2), ready(PodPhase.RUNNING, "True")));

    PodStats told = journal.tell(7);

    assertThat(told.over())
        .containsExactly(
            new PodTimeline(
                entry.ref(),
                "node",
                false,
                1_000,
                List.of(
                    new Mark(Step.TAKEN_UP, 10),
                    new Mark(Step.RUNNING, 20),
                    new Mark(Step.READY, 30),
                    new Mark(Step.WRITTEN, 40))));
    assertThat(told.nodes()).containsExactly(new NodePodCounts("node", 0, 1, 0, 0, 0, 1, 0));
    assertThat(told)
        .extracting(
            PodStats::shard,
            PodStats::started,
            PodStats::gone,
            PodStats::starting,
            PodStats::writes)
        .containsExactly(3, 1, 0, 0, 7);
  }

  @Test
  void anEndIsToldWhenTheObjectIsGone() {
    StatusEntry entry = seen(observed(pod("a"), ready(PodPhase.RUNNING, "True")));
    observe(entry, observed(pod("a").at(2).deleted(30), ready(PodPhase.RUNNING, "True")));
    assertThat(journal.tell(0).underWay()).extracting(PodTimeline::ending).containsExactly(true);
    now += 5;
    report(entry, TestPods.status(PodPhase.SUCCEEDED), true);
    now += 5;
    journal.gone(entry);
    // its removal is answered after the watch has told of it
    journal.changed(entry);

    PodStats told = journal.tell(0);

    assertThat(told.over()).extracting(PodTimeline::took).containsExactly(10L);
    assertThat(told.gone()).isEqualTo(1);
    assertThat(told.nodes()).containsExactly(new NodePodCounts("node", 0, 0, 0, 0, 0, 0, 0));
    assertThat(told.underWay()).isEmpty();
  }

  @Test
  void aPodThatWasReadyWhenItWasSeenIsCountedAndNotTimed() {
    seen(observed(pod("a"), ready(PodPhase.RUNNING, "True")));
    seen(pod("b").in(PodPhase.FAILED).view());

    PodStats told = journal.tell(0);

    assertThat(told.starting()).isZero();
    assertThat(told.over()).isEmpty();
    assertThat(told.nodes()).containsExactly(new NodePodCounts("node", 0, 1, 0, 1, 0, 1, 0));
  }

  @Test
  void aPodThatEndsBeforeItIsReadyIsOnItsWayNoLonger() {
    StatusEntry job = seen(pod("a").view());
    observe(job, pod("a").at(2).in(PodPhase.SUCCEEDED).view());
    StatusEntry deleted = seen(pod("b").view());
    observe(deleted, pod("b").at(2).deleted(0).view());

    PodStats told = journal.tell(0);

    assertThat(told.starting()).isZero();
    assertThat(told.ending()).isEqualTo(1);
    assertThat(told.over()).isEmpty();
  }

  @Test
  void nobodyIsWokenWhileNothingHappens() {
    StatusEntry entry = seen(pod("a").view());
    seen(pod("b").view());
    assertThat(wakes).isEqualTo(1);
    journal.tell(0);

    observe(entry, pod("a").at(2).view());
    report(entry, TestPods.status(PodPhase.PENDING), false);
    assertThat(wakes).isEqualTo(1);

    observe(entry, pod("a").at(3).in(PodPhase.RUNNING).view());
    assertThat(wakes).isEqualTo(2);
    assertThat(journal.tell(0).nodes()).hasSize(1);
    assertThat(journal.tell(0).nodes()).isEmpty();
  }

  @Test
  void theOldestThatAreOnTheirWayAreToldAndNoMore() {
    for (int i = 0; i < 100; i++) {
      now++;
      seen(pod("start-" + i).view());
    }
    for (int i = 0; i < 4; i++) {
      seen(pod("end-" + i).deleted(30).view());
    }

    List<PodTimeline> told = journal.tell(0).underWay();

    assertThat(told).hasSize(PodStats.OLDEST);
    assertThat(told.get(0).pod().name()).isEqualTo("start-0");
    assertThat(told.stream().filter(PodTimeline::ending)).hasSize(4);
  }
}
