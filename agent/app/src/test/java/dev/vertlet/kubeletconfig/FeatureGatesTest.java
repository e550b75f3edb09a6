package dev.vertlet.kubeletconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FeatureGatesTest {
  private static List<String> broken(Map<String, Boolean> set) {
    return new FeatureGates(set).broken().stream().map(Problem::pointer).toList();
  }

  @Test
  void ofWhatIsNoObjectOfTrueAndFalseNothingIsSet() {
    assertThat(FeatureGates.of(null).set()).isEmpty();
    assertThat(FeatureGates.of("NodeSwap").set()).isEmpty();
    assertThat(FeatureGates.of(new JsonObject().put("NodeSwap", true).put("No", "x")).set())
        .isEqualTo(Map.of("NodeSwap", true));
  }

  @Test
  void aGateThatNeedsAnotherOneIsNotOnWithoutIt() {
    FeatureGates gates =
        new FeatureGates(Map.of("AllBeta", false, "ResourceHealthStatusMessage", true));

    assertThat(gates.broken())
        .containsExactly(
            Problem.about(
                "ResourceHealthStatusMessage",
                "ResourceHealthStatusMessage is enabled, but depends on features that are disabled:"
                    + " [ResourceHealthStatus]"));
  }

  @Test
  void aGateThatWasSetIsNamed() {
    assertThat(broken(Map.of("ContainerRestartRules", false)))
        .containsExactly("ContainerRestartRules");
    assertThat(
            broken(
                Map.of(
                    "ContainerRestartRules", false, "RestartAllContainersOnContainerExits", true)))
        .containsExactly("RestartAllContainersOnContainerExits");
    assertThat(broken(Map.of("PodLevelResources", false, "PodLevelResourceManagers", true)))
        .containsExactly("PodLevelResources", "PodLevelResourceManagers");
  }

  @Test
  void ofGatesThatCannotBeSetNeedsAreNotLookedAt() {
    assertThat(broken(Map.of("No", true, "NodeSwap", false, "ContainerRestartRules", false)))
        .containsExactly("No", "NodeSwap");
  }

  @Test
  void gatesOfOneStageCanBeSetTogether() {
    assertThat(broken(Map.of("AllAlpha", true))).isEmpty();
    assertThat(broken(Map.of("AllBeta", false))).isEmpty();
    assertThat(broken(Map.of("AllAlpha", true, "AllBeta", true))).isEmpty();
  }
}
