package dev.vertlet.harness.scenario;

import java.util.List;
import java.util.OptionalInt;

/** Changes the size of a scenario. */
public final class Resized {
  private Resized() {}

  /** Returns the scenario with another number of nodes. */
  public static Scenario nodes(Scenario scenario, int nodes) {
    return copy(scenario, nodes, scenario.phases());
  }

  /**
   * Returns the scenario with this number of pods in the phase that creates the most, and with the
   * other phases in proportion.
   *
   * @throws IllegalArgumentException when no phase creates pods, or a phase follows a trace, which
   *     fixes its number
   */
  public static Scenario pods(Scenario scenario, int pods) {
    if (scenario.phases().stream().anyMatch(Resized::followsTrace)) {
      throw new IllegalArgumentException(
          "the scenario %s follows a trace, which says how many".formatted(scenario.name()));
    }
    OptionalInt most =
        scenario.phases().stream()
            .filter(Phase.Create.class::isInstance)
            .mapToInt(phase -> ((Phase.Create) phase).pods())
            .max();
    if (most.isEmpty() || most.getAsInt() == 0) {
      throw new IllegalArgumentException(
          "the scenario %s has no phase that creates pods".formatted(scenario.name()));
    }
    double factor = (double) pods / most.getAsInt();
    return copy(
        scenario,
        scenario.nodes(),
        scenario.phases().stream().map(phase -> scaled(phase, factor)).toList());
  }

  private static Phase scaled(Phase phase, double factor) {
    if (phase instanceof Phase.Create p) {
      return new Phase.Create(
          p.name(), p.warmUp(), scaled(p.pods(), factor), p.arrival(), p.lifetime());
    }
    if (phase instanceof Phase.Update p) {
      return new Phase.Update(p.name(), p.warmUp(), scaled(p.updates(), factor), p.arrival());
    }
    if (phase instanceof Phase.Delete p) {
      return new Phase.Delete(p.name(), p.warmUp(), scaled(p.pods(), factor), p.arrival());
    }
    return phase;
  }

  /** Rounds up, so that a delete phase covers all pods. */
  private static int scaled(int count, double factor) {
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(count * factor));
  }

  private static boolean followsTrace(Phase phase) {
    if (phase instanceof Phase.Create create) {
      return create.arrival() instanceof Arrival.Trace;
    }
    if (phase instanceof Phase.Update update) {
      return update.arrival() instanceof Arrival.Trace;
    }
    return phase instanceof Phase.Delete delete && delete.arrival() instanceof Arrival.Trace;
  }

  private static Scenario copy(Scenario scenario, int nodes, List<Phase> phases) {
    return new Scenario(
        scenario.name(),
        scenario.description(),
        nodes,
        scenario.namespaces(),
        scenario.placement(),
        scenario.containers(),
        scenario.labels(),
        scenario.graceSeconds(),
        scenario.seed(),
        phases,
        scenario.faults(),
        scenario.thresholds());
  }
}
