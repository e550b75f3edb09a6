package dev.vertlet.model.status;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerExitView;
import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartRuleView;
import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PlacementView.Toleration;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.SecurityView;
import nl.jqno.equalsverifier.EqualsVerifier;
import nl.jqno.equalsverifier.Warning;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What writes its equality out has not forgotten a component. */
class EqualityTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        ConditionView.class,
        ContainerExitView.class,
        ContainerStatusView.class,
        ContainerUserView.class,
        ContainerView.class,
        MountsView.class,
        MountsView.Mount.class,
        NetworkView.class,
        PlacementView.class,
        PodRef.class,
        PodRequests.class,
        PodResourcesView.class,
        PodStatusView.class,
        ResourcesView.class,
        RestartRuleView.class,
        SecurityView.class,
        Toleration.class
      })
  void everyComponentCounts(Class<?> type) {
    EqualsVerifier.forClass(type).suppress(Warning.NULL_FIELDS).verify();
  }
}
