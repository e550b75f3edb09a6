package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.it.PodObservation.Container;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodHistoryTest {
  private static final Container RUNNING = new Container("sim://a", 0, "10:00:00");

  @Test
  void anOrdinaryLifeHasNoViolations() {
    PodHistory history =
        history(
            seen("Pending", false, "", "", new Container("", 0, "")),
            seen("Running", true, "10:00:01", "", RUNNING),
            seen("Running", true, "10:00:01", "11:00:00", RUNNING),
            seen("Running", false, "11:00:01", "11:00:00", RUNNING),
            seen("Succeeded", false, "11:00:01", "11:00:00", RUNNING));

    assertThat(history.startedTwice()).isEmpty();
    assertThat(history.readyFlaps()).isEmpty();
    assertThat(history.phaseReversals()).isEmpty();
  }

  @Test
  void anotherIdStartTimeOrARestartCountIsASecondStart() {
    for (Container second :
        List.of(
            new Container("sim://b", 0, "10:00:00"),
            new Container("sim://a", 0, "10:00:05"),
            new Container("sim://a", 1, "10:00:00"))) {
      PodHistory history =
          history(seen("Running", true, "t", "", RUNNING), seen("Running", true, "t", "", second));

      assertThat(history.startedTwice()).as("%s", second).hasSize(1);
    }
  }

  @Test
  void losingReadyIsAFlap() {
    PodHistory history =
        history(
            seen("Running", true, "t1", "", RUNNING), seen("Running", false, "t2", "", RUNNING));

    assertThat(history.readyFlaps()).containsExactly("pod: lost Ready at t2");
  }

  /** A kubelet writes the phase afterwards. */
  @Test
  void losingReadyAtTheEndIsNone() {
    PodHistory history =
        history(seen("Running", true, "t1", "", RUNNING), seen("Running", "PodCompleted", "t2"));

    assertThat(history.readyFlaps()).isEmpty();
  }

  @Test
  void aFlapBetweenTwoVersionsShowsInItsTransitionTime() {
    PodHistory history =
        history(seen("Running", true, "t1", "", RUNNING), seen("Running", true, "t3", "", RUNNING));

    assertThat(history.readyFlaps()).containsExactly("pod: Ready since t1, then since t3");
  }

  @Test
  void phasesDoNotGoBack() {
    PodHistory history =
        history(
            seen("Running", false, "", "", RUNNING),
            seen("Pending", false, "", "", RUNNING),
            seen("Failed", false, "", "", RUNNING),
            seen("Running", false, "", "", RUNNING));

    assertThat(history.phaseReversals())
        .containsExactly("pod: from Running to Pending", "pod: from Failed to Running");
  }

  private static PodHistory history(PodObservation... observations) {
    return new PodHistory(List.of(observations), false);
  }

  private static PodObservation seen(
      String phase, boolean ready, String readySince, String deletion, Container container) {
    return new PodObservation(
        "uid", "pod", "1", phase, ready, "", readySince, deletion, Map.of("main", container));
  }

  private static PodObservation seen(String phase, String reason, String since) {
    return new PodObservation(
        "uid", "pod", "1", phase, false, reason, since, "", Map.of("main", RUNNING));
  }
}
