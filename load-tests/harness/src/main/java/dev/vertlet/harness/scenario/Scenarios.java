package dev.vertlet.harness.scenario;

import java.util.List;
import java.util.Optional;

/** Built-in scenarios. */
public final class Scenarios {
  /** Kubernetes' default grace period of pods. */
  static final int USUAL_GRACE_SECONDS = 30;

  private Scenarios() {}

  /**
   * Phase {@code up} creates pods bound to their nodes, phase {@code down} deletes them.
   *
   * @param rate pods per second in both phases; empty for as fast as the server answers
   */
  public static Scenario simple(int nodes, int pods, Optional<Double> rate) {
    Arrival arrival =
        rate.<Arrival>map(Arrival.Constant::new)
            .orElseGet(() -> new Arrival.Burst(Arrival.Burst.WINDOW));
    return new Scenario(
        "simple",
        "",
        nodes,
        1,
        Placement.BOUND,
        1,
        USUAL_GRACE_SECONDS,
        0,
        List.of(
            new Phase.Create("up", false, pods, arrival, Optional.empty()),
            new Phase.Delete("down", false, pods, arrival)),
        List.of(),
        List.of());
  }
}
