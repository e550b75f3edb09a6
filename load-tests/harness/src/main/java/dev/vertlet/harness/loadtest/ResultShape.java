package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.LiveHeap;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.RunResult.Outage;
import dev.vertlet.harness.result.RunResult.Restart;
import dev.vertlet.harness.result.Traffic;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.result.servicelevel.ControlPlaneResult;
import dev.vertlet.harness.result.servicelevel.LevelResult;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import dev.vertlet.harness.result.servicelevel.ServiceLevels;
import dev.vertlet.harness.result.servicelevel.Source;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.scenario.ScheduledFault.RestartSubject;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Builds a result with every figure, to check names of figures before a run. */
public final class ResultShape {
  private static final Latencies SOME = new Latencies(1, 0, 0, 0, 0, List.of());

  private static final ControlPlaneResult CONTROL_PLANE =
      new ControlPlaneResult(
          new ServiceLevels(
              Arrays.stream(ServiceLevel.values())
                  .map(level -> new LevelResult(level, 1, 0, "", Source.API_SERVER))
                  .toList(),
              List.of()),
          new ControlPlaneRecord(
              List.of(),
              List.of(),
              new ControlPlaneRecord.Totals(0, 0, 0, 0, 0, 0, 0),
              List.of(),
              List.of(),
              List.of()));

  private ResultShape() {}

  /** Phase of 1 s with every figure, or an idle one for a hold; more pods come than go. */
  private static PhaseResult phase(Phase phase, boolean heap) {
    int pods = phase instanceof Phase.Hold ? 0 : 1;
    int more = 2 * pods;
    PhaseResult blank =
        new PhaseResult(
            phase.name(),
            phase.warmUp(),
            0,
            1,
            more,
            more,
            pods,
            pods,
            pods,
            SOME,
            SOME,
            0,
            List.of());
    return heap ? blank.withHeap(new LiveHeap(0, 0)) : blank;
  }

  /**
   * Result with every figure that a run can have.
   *
   * @param traffic whether traffic is counted
   * @param heap whether the heap is measured
   */
  public static JsonObject result(Scenario scenario, boolean traffic, boolean heap) {
    List<PhaseResult> phases = scenario.phases().stream().map(phase -> phase(phase, heap)).toList();
    RunResult result =
        new RunResult(
            "",
            new RunResult.Subject("", "", List.of()),
            new RunResult.Environment(Instant.EPOCH, "", "", 0, "", "", 1, "", "", List.of()),
            1,
            0,
            phases,
            new Resources(0, 0, 0, 0, 0, List.of()),
            SOME,
            0,
            0,
            0,
            0,
            "",
            traffic ? Optional.of(new Traffic(List.of(), 0, 0)) : Optional.empty(),
            List.of(),
            restarts(scenario),
            outages(scenario),
            List.of());
    return RunJson.of(result.withControlPlane(CONTROL_PLANE));
  }

  private static List<Restart> restarts(Scenario scenario) {
    return scenario.faults().stream()
        .filter(fault -> fault.kind() instanceof RestartSubject)
        .map(fault -> new Restart(0, 0, OptionalLong.of(0)))
        .toList();
  }

  private static List<Outage> outages(Scenario scenario) {
    return scenario.faults().stream()
        .filter(fault -> Faults.isOutage(fault.kind()))
        .map(fault -> new Outage(0, 0, 0, 0))
        .toList();
  }
}
