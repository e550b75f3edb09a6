package dev.vertlet.trace.tool;

import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Figures of a trace. */
final class TraceStats {
  private final Map<String, PodLife> lives = new HashMap<>();
  private final Map<String, Integer> workloads = new TreeMap<>();
  private final List<Gap> gaps = new ArrayList<>();
  private long events;
  private long scalings;
  private long length;
  private int nodes;
  private int peakNodes;

  void add(TraceEvent event) {
    events++;
    length = event.at();
    if (event instanceof NodeAdded) {
      nodes++;
      peakNodes = Math.max(peakNodes, nodes);
    } else if (event instanceof NodeLeft) {
      nodes--;
    } else if (event instanceof WorkloadAdded added && !added.workload().isBarePod()) {
      workloads.merge(added.workload().kind(), 1, Integer::sum);
    } else if (event instanceof WorkloadScaled) {
      scalings++;
    } else if (event instanceof PodLived lived) {
      lives.put(lived.life().identity().id(), lived.life());
    } else if (event instanceof Gap gap) {
      gaps.add(gap);
    }
  }

  /**
   * Percentiles in milliseconds by nearest rank; all 0 if {@code count} is.
   *
   * @param count pods that went through it
   */
  record Percentiles(int count, long p50, long p90, long p99, long max) {
    static Percentiles of(List<Long> values) {
      long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
      return new Percentiles(
          sorted.length, at(sorted, 50), at(sorted, 90), at(sorted, 99), at(sorted, 100));
    }

    private static long at(long[] sorted, int percent) {
      int rank = (sorted.length * percent + 99) / 100;
      return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
    }

    JsonObject json() {
      return new JsonObject()
          .put("count", count)
          .put("p50", p50)
          .put("p90", p90)
          .put("p99", p99)
          .put("max", max);
    }
  }

  private Percentiles durations(
      Function<PodTimes, @Nullable Long> from, Function<PodTimes, @Nullable Long> to) {
    List<Long> values = new ArrayList<>();
    for (PodLife life : lives.values()) {
      Long begin = from.apply(life.times());
      Long end = to.apply(life.times());
      if (begin != null && end != null) {
        values.add(Math.max(0, end - begin));
      }
    }
    return Percentiles.of(values);
  }

  /** From creation to binding. */
  Percentiles pending() {
    return durations(PodTimes::created, PodTimes::scheduled);
  }

  /** From binding to running. */
  Percentiles start() {
    return durations(PodTimes::scheduled, PodTimes::started);
  }

  /** From running to the end, of pods that ended. */
  Percentiles run() {
    return durations(PodTimes::started, PodTimes::ended);
  }

  /** Largest number of pods on nodes at one time, and what they had reserved. */
  record Peak(int pods, long cpuMillis, long memoryBytes) {}

  Peak peak() {
    List<long[]> steps = new ArrayList<>();
    for (PodLife life : lives.values()) {
      PodTimes times = life.times();
      Long scheduled = times.scheduled();
      if (scheduled != null) {
        steps.add(step(scheduled, 1, life));
        Long end = times.ended() == null ? times.gone() : times.ended();
        if (end != null) {
          steps.add(step(Math.max(scheduled, end), -1, life));
        }
      }
    }
    // what ends makes room before what begins at the same time
    steps.sort(
        Comparator.<long[]>comparingLong(step -> step[0]).thenComparingLong(step -> step[1]));
    long[] now = new long[4];
    long[] peak = new long[4];
    for (int next = 0; next < steps.size(); next++) {
      long[] step = steps.get(next);
      boolean counts = step[0] >= 0 || next + 1 == steps.size() || steps.get(next + 1)[0] >= 0;
      for (int figure = 1; figure < now.length; figure++) {
        now[figure] += step[figure];
        // only what was there when the recording began, not what had ended before
        peak[figure] = counts ? Math.max(peak[figure], now[figure]) : peak[figure];
      }
    }
    return new Peak((int) peak[1], peak[2], peak[3]);
  }

  private static long[] step(long at, int sign, PodLife life) {
    return new long[] {
      at, sign, sign * life.demand().cpuMillis(), sign * life.demand().memoryBytes()
    };
  }

  private Map<String, Integer> podsByOwner() {
    Map<String, Integer> pods = new TreeMap<>();
    lives.values().forEach(life -> pods.merge(life.identity().owner().kind(), 1, Integer::sum));
    return pods;
  }

  private long neverScheduled() {
    return lives.values().stream().filter(life -> life.times().scheduled() == null).count();
  }

  private long failed() {
    return lives.values().stream().filter(life -> life.outcome().phase().equals("Failed")).count();
  }

  JsonObject json() {
    Peak peak = peak();
    JsonArray written = new JsonArray();
    gaps.forEach(
        gap ->
            written.add(
                new JsonObject()
                    .put("from", gap.from())
                    .put("to", gap.to())
                    .put("cause", gap.cause())
                    .put("resource", gap.resource())));
    return new JsonObject()
        .put("millis", length)
        .put("events", events)
        .put("nodes", new JsonObject().put("end", nodes).put("peak", peakNodes))
        .put("workloads", new JsonObject(new TreeMap<String, Object>(workloads)))
        .put("scalings", scalings)
        .put(
            "pods",
            new JsonObject()
                .put("count", lives.size())
                .put("byOwner", new JsonObject(new TreeMap<String, Object>(podsByOwner())))
                .put("neverScheduled", neverScheduled())
                .put("failed", failed()))
        .put("pendingMillis", pending().json())
        .put("startMillis", start().json())
        .put("runMillis", run().json())
        .put(
            "peak",
            new JsonObject()
                .put("pods", peak.pods())
                .put("cpuMillis", peak.cpuMillis())
                .put("memoryBytes", peak.memoryBytes()))
        .put("gaps", written);
  }

  /** Lines for people. */
  List<String> lines() {
    Peak peak = peak();
    List<String> lines =
        new ArrayList<>(
            Arrays.asList(
                row("length", EventText.offset(length) + ", " + events + " events"),
                row("nodes", nodes + " at the end, " + peakNodes + " at most"),
                row("workloads", counts(workloads) + "; " + scalings + " scalings"),
                row(
                    "pods",
                    "%d: %s; %d never scheduled, %d failed"
                        .formatted(
                            lives.size(), counts(podsByOwner()), neverScheduled(), failed())),
                row(
                    "peak",
                    "%d pods on nodes, %.1f cores and %.1f GiB requested"
                        .formatted(
                            peak.pods(),
                            peak.cpuMillis() / 1000.0,
                            peak.memoryBytes() / (double) (1 << 30))),
                percentiles("pending", pending()),
                percentiles("start", start()),
                percentiles("run", run())));
    if (gaps.isEmpty()) {
      lines.add(row("gaps", "none"));
    }
    for (Gap gap : gaps) {
      lines.add(
          row(
              "gap",
              "%s to %s, %s%s"
                  .formatted(
                      EventText.offset(gap.from()),
                      EventText.offset(gap.to()),
                      gap.cause(),
                      gap.resource() == null ? "" : " of " + gap.resource())));
    }
    return lines;
  }

  private static String counts(Map<String, Integer> byKind) {
    return byKind.isEmpty()
        ? "none"
        : String.join(
            ", ",
            byKind.entrySet().stream().map(each -> each.getValue() + " " + each.getKey()).toList());
  }

  private static String row(String name, String value) {
    return "%-10s%s".formatted(name, value);
  }

  private static String percentiles(String name, Percentiles of) {
    return row(
        name,
        of.count() == 0
            ? "none"
            : "p50 %.1f s, p90 %.1f s, p99 %.1f s, max %.1f s of %d pods"
                .formatted(
                    of.p50() / 1000.0,
                    of.p90() / 1000.0,
                    of.p99() / 1000.0,
                    of.max() / 1000.0,
                    of.count()));
  }
}
