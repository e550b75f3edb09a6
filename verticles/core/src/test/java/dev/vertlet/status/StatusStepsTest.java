package dev.vertlet.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Statuses;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusStepsTest {
  private static final Waiting CREATING = new Waiting("ContainerCreating", null);
  private static final Running RUNNING = new Running(null);

  private static PodStatusView pod(PodPhase phase, int restarts, ContainerStateView state) {
    ContainerStatusView main =
        new ContainerStatusView("main", "img", "", null, restarts, false, false, state, null);
    return Statuses.in(phase).containers(List.of(), List.of(main), List.of()).build();
  }

  @Test
  void aStepShowsAnotherPhaseStateOrRestartAndNothingElseIsOne() {
    PodStatusView creating = pod(PodPhase.PENDING, 0, CREATING);

    assertThat(StatusSteps.differ(creating, pod(PodPhase.PENDING, 0, RUNNING))).isTrue();
    assertThat(StatusSteps.differ(creating, pod(PodPhase.PENDING, 1, CREATING))).isTrue();
    assertThat(StatusSteps.differ(creating, pod(PodPhase.RUNNING, 0, CREATING))).isTrue();
    assertThat(StatusSteps.differ(creating, pod(PodPhase.PENDING, 0, new Waiting("Other", null))))
        .isFalse();
  }
}
