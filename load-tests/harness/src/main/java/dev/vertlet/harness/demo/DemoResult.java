package dev.vertlet.harness.demo;

import dev.vertlet.harness.load.Counts;
import dev.vertlet.harness.load.Latencies;
import dev.vertlet.harness.load.Measurements;
import dev.vertlet.harness.load.PhaseResult;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What a demo came to.
 *
 * @param residentMiB memory of the whole process: API server, agent and load
 */
public record DemoResult(
    DemoOptions options, Counts counts, Measurements measured, double residentMiB) {
  /** Whether every node and pod did all it should. */
  public boolean complete() {
    return counts.podsReady() == options.pods() && counts.podsGone() == options.pods();
  }

  /** One line of JSON; figures of which nothing was measured are null. */
  public JsonObject json() {
    PhaseResult up = measured.up();
    PhaseResult down = measured.down();
    return new JsonObject()
        .put("nodes", options.nodes())
        .put("pods", options.pods())
        .put("ready", counts.podsReady())
        .put("gone", counts.podsGone())
        .put("up_per_s", figure(up, up.perSecond()))
        .put("up_p50_ms", figure(up, up.latencies().p50()))
        .put("up_p99_ms", figure(up, up.latencies().p99()))
        .put("down_per_s", figure(down, down.perSecond()))
        .put("down_p50_ms", figure(down, down.latencies().p50()))
        .put("down_p99_ms", figure(down, down.latencies().p99()))
        .put("node_flips", measured.nodeFlips())
        .put("errors", measured.errors())
        .put("rss_mb", tenths(residentMiB));
  }

  /** One line for people about the pods that are Ready. */
  public String summary() {
    Latencies latencies = measured.up().latencies();
    return "%,d pods Ready on %,d nodes: %,.0f pods/s, create to Ready p50 %.1f ms, p99 %.1f ms"
        .formatted(
            counts.podsReady(),
            options.nodes(),
            measured.up().perSecond(),
            latencies.p50(),
            latencies.p99());
  }

  private static @Nullable Double figure(PhaseResult phase, double value) {
    return phase.done() == 0 ? null : tenths(value);
  }

  private static double tenths(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
