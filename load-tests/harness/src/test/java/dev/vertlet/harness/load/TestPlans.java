package dev.vertlet.harness.load;

import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Lifetime;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Plans and phases of bursts. */
final class TestPlans {
  static final Arrival BURST = new Arrival.Burst(Arrival.Burst.WINDOW);

  private TestPlans() {}

  /** With prefix x, in the namespace default. */
  static LoadPlan of(Path kubeconfig, Scenario scenario) {
    return new LoadPlan(kubeconfig, "x", "default", "default", scenario);
  }

  static Scenario scenario(int nodes, int namespaces, Phase... phases) {
    return new Scenario(
        "test",
        "",
        nodes,
        namespaces,
        Placement.BOUND,
        1,
        30,
        7,
        List.of(phases),
        List.of(),
        List.of());
  }

  static Phase create(String name, int pods) {
    return new Phase.Create(name, false, pods, BURST, Optional.empty());
  }

  static Phase mortal(String name, int pods, Lifetime lifetime) {
    return new Phase.Create(name, false, pods, BURST, Optional.of(lifetime));
  }

  static Phase delete(String name, int pods) {
    return new Phase.Delete(name, false, pods, BURST);
  }
}
