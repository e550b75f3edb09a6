package dev.vertlet.model.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.status.PodPhase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ViewsTest {
  @ParameterizedTest
  @EnumSource(PodPhase.class)
  void phasesSurviveTheirSpelling(PodPhase phase) {
    assertThat(PodPhase.of(phase.text())).isSameAs(phase);
  }

  @Test
  void foreignPhasesArePendingAndOnlyTwoAreTerminal() {
    assertThat(PodPhase.of("Sleeping")).isSameAs(PodPhase.PENDING);
    assertThat(PodPhase.values())
        .filteredOn(PodPhase::terminal)
        .containsExactly(PodPhase.SUCCEEDED, PodPhase.FAILED);
  }

  @ParameterizedTest
  @EnumSource(RestartPolicy.class)
  void restartPoliciesSurviveTheirSpelling(RestartPolicy policy) {
    assertThat(RestartPolicy.of(policy.text())).isSameAs(policy);
  }

  @Test
  void onlyAContainerThatAlwaysRestartsIsASidecar() {
    assertThat(new ContainerView("c", "x", "Always", RestartPolicy.ALWAYS).sidecar()).isTrue();
    assertThat(new ContainerView("c", "x", "Always", RestartPolicy.NEVER).sidecar()).isFalse();
    assertThat(new ContainerView("c", "x", "Always", null).sidecar()).isFalse();
  }

  @Test
  void containersOfEveryKindAreFoundByName() {
    PodSpecView spec =
        new PodSpecView(
            0,
            RestartPolicy.ALWAYS,
            30,
            null,
            false,
            0,
            List.of(),
            List.of(new ContainerView("i", "x", "Always", null)),
            List.of(new ContainerView("c", "x", "Always", null)),
            List.of(new ContainerView("e", "x", "Always", null)));

    assertThat(spec.container("i")).isSameAs(spec.initContainers().get(0));
    assertThat(spec.container("c")).isSameAs(spec.containers().get(0));
    assertThat(spec.container("e")).isSameAs(spec.ephemeralContainers().get(0));
    assertThat(spec.container("other")).isNull();
  }

  @Test
  void podsAreShownByNamespaceAndName() {
    assertThat(new PodRef("ns", "p", "u").display()).isEqualTo("ns/p");
  }
}
