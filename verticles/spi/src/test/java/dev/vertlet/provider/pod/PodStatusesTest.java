package dev.vertlet.provider.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.TestPods;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStatusesTest {
  private static final Instant NOW = TestPods.CREATED.plusMillis(1500);
  private static final Instant SECOND = TestPods.CREATED.plusSeconds(1);
  private static final PodView POD = TestPods.pod("a").view();

  private static PodStatusView running() {
    return PodStatuses.running(POD, "1.2.3.4", List.of("5.6.7.8"), NOW);
  }

  private static String ready(PodStatusView status) {
    return Objects.requireNonNull(status.condition("Ready")).status();
  }

  @Test
  void aPodThatStartsHasContainersThatWait() {
    PodStatusView status = PodStatuses.starting(POD, "1.2.3.4", NOW);

    assertThat(status.phase()).isEqualTo(PodPhase.PENDING);
    assertThat(ready(status)).isEqualTo("False");
    assertThat(status.containerStatuses())
        .singleElement()
        .matches(c -> c.containerId() == null && !c.ready())
        .extracting(ContainerStatusView::state)
        .isEqualTo(new ContainerStateView.Waiting("ContainerCreating", null));
  }

  @Test
  void aPodThatRunsIsReadyWithAllItsContainers() {
    PodStatusView status = running();

    assertThat(status.phase()).isEqualTo(PodPhase.RUNNING);
    assertThat(status.startTime()).isEqualTo(SECOND);
    assertThat(status.podIPs()).containsExactly("5.6.7.8");
    assertThat(status.conditions())
        .extracting(ConditionView::type, ConditionView::status)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("Initialized", "True"),
            org.assertj.core.api.Assertions.tuple("Ready", "True"),
            org.assertj.core.api.Assertions.tuple("ContainersReady", "True"));
    assertThat(status.containerStatuses())
        .singleElement()
        .matches(c -> c.ready() && "vertlet://uid-a/main".equals(c.containerId()))
        .extracting(ContainerStatusView::state)
        .isEqualTo(new ContainerStateView.Running(SECOND));
  }

  @Test
  void whatRanBeforeARestartOfTheAgentGoesOn() {
    PodView taken = POD.withStatus(running());

    PodStatusView status =
        PodStatuses.running(taken, "1.2.3.4", List.of("5.6.7.8"), NOW.plusSeconds(99));

    assertThat(status).as("nothing to write").isEqualTo(running());
  }

  @Test
  void aContainerThatWaitedRunsNow() {
    PodView waiting = POD.withStatus(PodStatuses.starting(POD, "1.2.3.4", NOW));

    PodStatusView status =
        PodStatuses.running(waiting, "1.2.3.4", List.of("5.6.7.8"), NOW.plusSeconds(5));

    assertThat(status.containerStatuses().get(0).state())
        .isEqualTo(new ContainerStateView.Running(SECOND.plusSeconds(5)));
    assertThat(status.startTime()).isEqualTo(SECOND);
    assertThat(Objects.requireNonNull(status.condition("Ready")).lastTransitionTime())
        .isEqualTo(SECOND.plusSeconds(5));
    assertThat(Objects.requireNonNull(status.condition("Initialized")).lastTransitionTime())
        .isEqualTo(SECOND);
  }

  @ParameterizedTest
  @CsvSource({"0, SUCCEEDED, PodCompleted", "1, FAILED, PodFailed"})
  void theEndOfAPodIsThatOfItsContainers(int exitCode, PodPhase phase, String reason) {
    PodStatusView end = PodStatuses.ended(running(), exitCode, "Done", "bye", NOW.plusSeconds(3));

    assertThat(end.phase()).isEqualTo(phase);
    assertThat(Objects.requireNonNull(end.condition("Ready")).reason()).isEqualTo(reason);
    assertThat(end.containerStatuses().get(0).state())
        .isEqualTo(
            new ContainerStateView.Terminated(
                exitCode, 0, "Done", "bye", SECOND, SECOND.plusSeconds(3), "vertlet://uid-a/main"));
    assertThat(PodStatuses.ended(end, 9, "Again", null, NOW).containerStatuses())
        .isEqualTo(end.containerStatuses());
  }

  @Test
  void aContainerThatNeverRanEndsWithoutAStart() {
    PodStatusView end = PodStatuses.ended(PodStatuses.starting(POD, "", NOW), 1, "Gone", null, NOW);

    assertThat(end.containerStatuses().get(0).state())
        .isInstanceOfSatisfying(
            ContainerStateView.Terminated.class, t -> assertThat(t.startedAt()).isNull());
  }
}
