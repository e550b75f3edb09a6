package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.result.Latencies;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.Traffic;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a result will look like, to know beforehand which figures it has. */
final class Blank {
  private static final Latencies SOME = new Latencies(1, 0, 0, 0, 0, List.of());

  private Blank() {}

  /** Every figure that a run with these options can have, all of them 0. */
  static JsonObject result(LoadTestOptions options) {
    List<PhaseResult> phases =
        options.scenario().phases().stream()
            .map(
                phase ->
                    new PhaseResult(
                        phase.name(),
                        phase.warmUp(),
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        SOME,
                        SOME,
                        0,
                        List.of()))
            .toList();
    return RunJson.of(
        new RunResult(
            "",
            new RunResult.Subject("", List.of()),
            new RunResult.Environment(Instant.EPOCH, "", "", 1, "", "", List.of()),
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
            options.traffic() ? Optional.of(new Traffic(List.of(), 0, 0)) : Optional.empty(),
            List.of(),
            List.of()));
  }
}
