package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.remote.PodBook.Claim;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodBookTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  private final PodState.Reader reader = new PodState.Reader();
  private final List<PodReport> reports = new ArrayList<>();
  private final List<PodReport> unclaimed = new ArrayList<>();
  private final List<String> again = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private final PodBook book =
      new PodBook(
          node -> "192.0.2.1",
          () -> NOW,
          new PodBook.Effects() {
            @Override
            public void report(PodReport report) {
              reports.add(report);
            }

            @Override
            public void unclaimed(PodReport report) {
              unclaimed.add(report);
            }

            @Override
            public void createAgain(PodView pod) {
              again.add(pod.uid());
            }

            @Override
            public void lost(PodView pod) {
              lost.add(pod.uid());
            }
          });

  private PodState state(PodView pod, long revision, String phase) {
    return reader.read(TestPods.state(pod, revision, phase));
  }

  private PodReport last() {
    return reports.get(reports.size() - 1);
  }

  private void list(PodState... states) {
    long number = book.listing();
    List.of(states).forEach(book::observed);
    book.listed(number, List.of(states).stream().map(state -> state.pod().uid()).toList());
  }

  @Test
  void sendsAPodThatTheBackEndDoesNotHave() {
    PodView pod = TestPods.running("a");

    assertThat(book.claim(pod)).isEqualTo(Claim.SEND);
    book.observed(state(pod, 1, "Running"));

    assertThat(last().status().phase()).isEqualTo(PodPhase.RUNNING);
    assertThat(last().status().hostIP()).isEqualTo("192.0.2.1");
    assertThat(last().status().podIPs()).containsExactly("10.1.1.1");
    assertThat(last().status().condition("Ready"))
        .isNotNull()
        .matches(c -> c.status().equals("True"));
    assertThat(book.restartCounts(pod)).isEmpty();
  }

  @Test
  void keepsTheNewerOfTwoStatesWhateverTheirOrder() {
    PodView pod = TestPods.running("a");
    book.claim(pod);

    book.observed(state(pod, 7, "Running"));
    book.observed(state(pod, 3, "Pending"));
    book.observed(state(pod, 7, "Running"));

    assertThat(reports).hasSize(1);
    assertThat(book.reports()).containsExactly(last());
  }

  @Test
  void adoptsAPodThatTheBackEndRunsAsWanted() {
    PodView pod = TestPods.running("a");
    book.observed(state(pod, 1, "Running"));
    assertThat(unclaimed).hasSize(1);
    book.claim(pod);
    PodStatusView written = last().status();
    reports.clear();
    PodBook fresh = new PodBook(node -> "192.0.2.1", () -> NOW.plusSeconds(99), effects());
    fresh.observed(state(pod, 1, "Running"));

    assertThat(fresh.claim(TestPods.with(pod, written))).isEqualTo(Claim.ADOPTED);

    assertThat(last().status()).as("nothing is to be written").isEqualTo(written);
  }

  private PodBook.Effects effects() {
    return new PodBook.Effects() {
      @Override
      public void report(PodReport report) {
        reports.add(report);
      }

      @Override
      public void unclaimed(PodReport report) {}

      @Override
      public void createAgain(PodView pod) {}

      @Override
      public void lost(PodView pod) {}
    };
  }

  @Test
  void sendsAPodThatChangedWhileNoAgentRan() {
    PodView pod = TestPods.running("a");
    book.observed(state(pod, 1, "Running"));
    PodView labelled =
        TestPods.view(
            TestPods.pod("a", "Always")
                .put(
                    "metadata",
                    TestPods.pod("a", "Always")
                        .getJsonObject("metadata")
                        .put("labels", new JsonObject().put("color", "red"))));

    assertThat(book.claim(labelled)).isEqualTo(Claim.SEND);
  }

  @Test
  void createsALostPodAgainWithItsRestartCounts() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    book.observed(state(pod, 1, "Running"));

    list();
    list();

    assertThat(again).containsExactly(pod.uid());
    assertThat(lost).containsExactly(pod.uid());
    assertThat(book.restartCounts(pod)).isEqualTo(Map.of("main", 1));
    ContainerStatusView container = last().status().containerStatuses().get(0);
    assertThat(last().status().phase()).isEqualTo(PodPhase.PENDING);
    assertThat(container.state()).isInstanceOf(Waiting.class);
    assertThat(container.restartCount()).isZero();
    assertThat(container.lastState())
        .isInstanceOfSatisfying(Terminated.class, end -> assertThat(end.exitCode()).isEqualTo(137));
  }

  @Test
  void countsOneRestartHoweverOftenTheCreateIsTriedAgain() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    book.observed(state(pod, 1, "Running"));
    list();

    PodView written = TestPods.with(pod, last().status());
    assertThat(book.claim(written)).isEqualTo(Claim.SEND);
    assertThat(book.claim(written)).isEqualTo(Claim.SEND);

    assertThat(book.restartCounts(written)).isEqualTo(Map.of("main", 1));
    assertThat(lost).hasSize(1);
  }

  @Test
  void failsALostPodThatMayNotRestart() {
    PodView pod = TestPods.view("a", "Never");
    book.claim(pod);
    book.observed(state(pod, 1, "Running"));

    list();

    assertThat(again).isEmpty();
    assertThat(last().finished()).isTrue();
    assertThat(last().status().phase()).isEqualTo(PodPhase.FAILED);
    assertThat(last().status().reason()).isEqualTo("NotFound");
  }

  @Test
  void createsALostPodAgainThatHasNeverRun() {
    PodView pod = TestPods.view("a", "Never");
    book.claim(pod);
    book.observed(state(pod, 1, "Pending"));

    list();

    assertThat(again).containsExactly(pod.uid());
    assertThat(book.restartCounts(pod)).isEmpty();
  }

  @Test
  void keepsTheEndOfAPodWhoseStateTheBackEndHasDropped() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    book.observed(state(pod, 1, "Succeeded"));
    int before = reports.size();

    list();

    assertThat(reports).hasSize(before);
    assertThat(again).isEmpty();
  }

  @Test
  void finishesAPodThatIsLostWhileItEnds() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    book.observed(state(pod, 1, "Running"));
    book.ending(pod.uid());

    book.gone(pod.uid(), 2);

    assertThat(last().finished()).isTrue();
    assertThat(last().status().phase().terminal()).isTrue();
    assertThat(again).isEmpty();
  }

  @Test
  void doesNotMissAPodThatWasSentAfterTheListHadBegun() {
    PodView pod = TestPods.running("a");
    long number = book.listing();
    book.claim(pod);
    book.observed(state(pod, 1, "Running"));

    book.listed(number, List.of());

    assertThat(book.holds(pod.uid())).isTrue();
    assertThat(again).isEmpty();
  }

  @Test
  void ignoresTheEndOfAnEarlierLife() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    book.observed(state(pod, 9, "Running"));

    book.gone(pod.uid(), 4);

    assertThat(book.holds(pod.uid())).isTrue();
  }

  @Test
  void saysNothingMoreOfAKilledPod() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    book.observed(state(pod, 1, "Running"));
    int before = reports.size();

    book.killing(pod.uid());
    book.observed(state(pod, 2, "Failed"));

    assertThat(reports).hasSize(before);
    assertThat(book.reports()).isEmpty();
    book.notKilled(pod.uid());
    assertThat(book.reports()).as("listed again, to be killed again").hasSize(1);
  }

  @Test
  void hidesThePodsOfAReleasedNodeUntilItMayBeServedAgain() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    book.observed(state(pod, 1, "Running"));

    book.release(TestPods.NODE);
    assertThat(book.reports()).isEmpty();
    book.observed(state(pod, 2, "Failed"));
    book.served(TestPods.NODE);

    assertThat(book.reports()).hasSize(1);
    assertThat(reports).as("reports to the node's new agent come from its own provider").hasSize(1);
  }

  @Test
  void fillsInWhatTheBackEndLeavesOut() {
    PodView pod = TestPods.running("a");
    book.claim(pod);
    var state = TestPods.state(pod, 1, "Pending");
    state.put("status", new JsonObject().put("phase", "Pending"));

    book.observed(reader.read(state));

    assertThat(last().status().containerStatuses())
        .singleElement()
        .satisfies(c -> assertThat(c.name()).isEqualTo("main"))
        .satisfies(c -> assertThat(c.state()).isEqualTo(new Waiting("ContainerCreating", null)));
    assertThat(last().status().condition("Ready"))
        .isNotNull()
        .matches(c -> c.status().equals("False") && "ContainersNotReady".equals(c.reason()));
  }
}
