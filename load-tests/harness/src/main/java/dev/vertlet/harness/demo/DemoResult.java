package dev.vertlet.harness.demo;

import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.result.PhaseResult;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Result of a demo.
 *
 * @param residentMiB resident memory of the whole process: API server, agent and load
 */
public record DemoResult(DemoOptions options, Measurements measured, double residentMiB) {
  /** Whether every pod became Ready and was deleted. */
  public boolean complete() {
    return ready() == options.pods() && gone() == options.pods();
  }

  /** Formats the result as one line of JSON; figures without measurements are null. */
  public JsonObject json() {
    return new JsonObject()
        .put("nodes", options.nodes())
        .put("pods", options.pods())
        .put("ready", ready())
        .put("gone", gone())
        .put("up_per_s", figure(0, PhaseResult::perSecond))
        .put("up_p50_ms", figure(0, phase -> phase.create().p50()))
        .put("up_p99_ms", figure(0, phase -> phase.create().p99()))
        .put("down_per_s", figure(1, PhaseResult::perSecond))
        .put("down_p50_ms", figure(1, phase -> phase.delete().p50()))
        .put("down_p99_ms", figure(1, phase -> phase.delete().p99()))
        .put("node_flips", measured.nodeFlips())
        .put("errors", measured.errors() + measured.lost())
        .put("rss_mb", tenths(residentMiB));
  }

  /** Formats the figures of the Ready pods as one line of text. */
  public String summary() {
    return "%,d pods Ready on %,d %s: %,.0f pods/s, create to Ready p50 %.1f ms, p99 %.1f ms"
        .formatted(
            ready(),
            options.nodes(),
            options.nodes() == 1 ? "node" : "nodes",
            phase(0).map(PhaseResult::perSecond).orElse(0.0),
            phase(0).map(phase -> phase.create().p50()).orElse(0.0),
            phase(0).map(phase -> phase.create().p99()).orElse(0.0));
  }

  private int ready() {
    return phase(0).map(PhaseResult::ready).orElse(0);
  }

  private int gone() {
    return phase(1).map(PhaseResult::gone).orElse(0);
  }

  /** Result of a phase that has begun: 0 creates the pods, 1 deletes them. */
  private Optional<PhaseResult> phase(int index) {
    return measured.phases().stream().skip(index).findFirst();
  }

  private @Nullable Double figure(int index, ToDoubleFunction<PhaseResult> value) {
    return phase(index)
        .filter(phase -> phase.ready() + phase.gone() > 0)
        .map(phase -> tenths(value.applyAsDouble(phase)))
        .orElse(null);
  }

  private static double tenths(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
