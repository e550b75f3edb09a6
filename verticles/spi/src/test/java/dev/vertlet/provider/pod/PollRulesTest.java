package dev.vertlet.provider.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.TestPods;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** virtual-kubelet §1.10: what is said of pods whose provider does not speak. */
class PollRulesTest {
  private static final Instant CREATED = TestPods.CREATED;
  private static final Instant STARTED = CREATED.plusSeconds(1);

  private static PodStatusView status(PodPhase phase, @Nullable ContainerStateView state) {
    return Statuses.in(phase)
        .why(null, "kept")
        .hostIP("1.2.3.4")
        .podIPs(List.of("5.6.7.8"))
        .started(CREATED)
        .containers(
            List.of(
                new ContainerStatusView(
                    "main", "image", "id", "x://1", 3, true, true, state, null)))
        .build();
  }

  private static ContainerStateView state(PodStatusView status) {
    return Objects.requireNonNull(status.containerStatuses().get(0).state());
  }

  @ParameterizedTest(name = "{0}, {1} s old: given up {2}")
  @CsvSource({
    "PENDING, 0, false",
    "PENDING, 60, false",
    "PENDING, 61, true",
    "RUNNING, 0, true",
    "RUNNING, 61, true"
  })
  void aPodThatIsMissingIsGivenTimeUnlessItRan(PodPhase phase, long age, boolean givenUp) {
    assertThat(
            PollRules.missing(
                status(phase, new ContainerStateView.Running(STARTED)),
                CREATED,
                CREATED.plusSeconds(age)))
        .matches(status -> status.isPresent() == givenUp);
  }

  @Test
  void aMissingPodHasFailedAndItsRunningContainersWithIt() {
    PodStatusView said =
        PollRules.missing(
                status(PodPhase.RUNNING, new ContainerStateView.Running(STARTED)),
                null,
                CREATED.plusSeconds(90))
            .orElseThrow();

    assertThat(said.phase()).isEqualTo(PodPhase.FAILED);
    assertThat(said.reason()).isEqualTo("NotFound");
    assertThat(said.message())
        .isEqualTo("The pod status was not found and may have been deleted from the provider");
    assertThat(said.podIPs()).containsExactly("5.6.7.8");
    assertThat(state(said))
        .isEqualTo(
            new ContainerStateView.Terminated(
                -137,
                0,
                "NotFound",
                "Container was not found and was likely deleted",
                STARTED,
                CREATED.plusSeconds(90),
                "x://1"));
    assertThat(said.containerStatuses().get(0))
        .matches(c -> c.restartCount() == 3 && !c.ready() && "x://1".equals(c.containerId()));
  }

  @Test
  void aContainerThatDidNotRunIsLeftAsItWasWhenItsPodIsMissing() {
    ContainerStateView waiting = new ContainerStateView.Waiting("ContainerCreating", null);

    assertThat(
            state(
                PollRules.missing(
                        status(PodPhase.PENDING, waiting), CREATED, CREATED.plusSeconds(90))
                    .orElseThrow()))
        .isEqualTo(waiting);
  }

  @Test
  void aDeletedPodHasSucceededAndItsContainersWithIt() {
    PodStatusView said =
        PollRules.deleted(
            status(PodPhase.RUNNING, new ContainerStateView.Running(STARTED)),
            CREATED.plusSeconds(5));

    assertThat(said.phase()).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(said.reason()).isEqualTo("Terminated");
    assertThat(said.message()).isEqualTo("kept");
    assertThat(state(said))
        .isEqualTo(
            new ContainerStateView.Terminated(
                0,
                0,
                "Terminated",
                "Container was terminated. The exit code may not reflect the real exit code",
                STARTED,
                CREATED.plusSeconds(5),
                "x://1"));
  }

  @Test
  void aContainerThatNeverRanEndsWithoutHavingBegun() {
    assertThat(
            state(
                PollRules.deleted(
                    status(PodPhase.PENDING, new ContainerStateView.Waiting("x", null)),
                    CREATED.plusSeconds(5))))
        .isInstanceOfSatisfying(
            ContainerStateView.Terminated.class, end -> assertThat(end.startedAt()).isNull());
  }

  @Test
  void whatHadEndedIsNotChangedByADeletion() {
    ContainerStateView ended =
        new ContainerStateView.Terminated(7, 0, "Error", null, STARTED, STARTED, "x://1");

    assertThat(PollRules.deleted(status(PodPhase.FAILED, ended), CREATED))
        .isEqualTo(status(PodPhase.FAILED, ended));
    assertThat(state(PollRules.deleted(status(PodPhase.RUNNING, ended), CREATED))).isEqualTo(ended);
  }
}
