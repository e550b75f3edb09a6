package dev.vertlet.harness.result;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Results as JSON, with units in the names. A figure without measurements is null, so that it does
 * not pass for a good one.
 */
public final class RunJson {
  static final int FORMAT = 1;

  private static final double PARTS = 1_000;

  /** Six decimals of a percentile: 99.999 is a common one. */
  private static final double PERCENTILE_PARTS = 1e6;

  private RunJson() {}

  public static JsonObject of(RunResult run) {
    JsonObject phases = new JsonObject();
    run.phases().forEach(phase -> phases.put(phase.name(), phase(phase)));
    return new JsonObject()
        .put("format", FORMAT)
        .put("scenario", run.scenario())
        .put("subject", subject(run.subject()))
        .put("environment", environment(run.environment()))
        .put("passed", run.passed())
        .put(
            "service_levels",
            run.controlPlane()
                .map(recorded -> ControlPlaneJson.levels(recorded.levels()))
                .orElse(null))
        .put("nodes", run.nodes())
        .put("nodes_ready_after_s", rounded(run.startSeconds()))
        .put("phases", phases)
        .put("resources", resources(run.resources()))
        .put("lease_gaps", latencies(run.leaseGaps()))
        .put("node_flips", run.nodeFlips())
        .put("pod_flips", run.podFlips())
        .put("lost", run.lost())
        .put("errors", run.errors())
        .put("last_error", run.lastError())
        .put(
            "traffic",
            run.traffic().map(traffic -> traffic(traffic, run.measuredPods())).orElse(null))
        .put("faults", array(run.faults().stream().map(RunJson::fault).toList()))
        .put("restarts", array(run.restarts().stream().map(RunJson::restart).toList()))
        .put("outages", array(run.outages().stream().map(RunJson::outage).toList()))
        .put("control_plane", run.controlPlane().map(ControlPlaneJson::of).orElse(null))
        .put("thresholds", array(run.thresholds().stream().map(RunJson::threshold).toList()));
  }

  /** Writes all runs, and each subject's medians by the path of their figure. */
  public static JsonObject of(Comparison comparison) {
    JsonObject medians = new JsonObject();
    List<Figure> figures = Figures.of(comparison);
    for (Comparison.SubjectRuns subject : comparison.subjects()) {
      JsonObject values = new JsonObject();
      figures.forEach(
          figure ->
              subject
                  .median(figure.path())
                  .ifPresent(value -> values.put(figure.path(), rounded(value))));
      medians.put(subject.name(), values);
    }
    return new JsonObject()
        .put("format", FORMAT)
        .put("medians", medians)
        .put("runs", array(comparison.runs().stream().map(RunJson::of).toList()));
  }

  /**
   * Reads the runs that either {@code of} wrote.
   *
   * @throws IllegalArgumentException that names the field, its value and what is allowed
   */
  public static List<RunResult> read(JsonObject json) {
    return json.containsKey("runs")
        ? new JsonFields("", json).objects("runs").map(RunReader::run).toList()
        : List.of(RunReader.run(new JsonFields("", json)));
  }

  /**
   * Number at a path of names joined by dots, for example {@code phases.up.create.p99_ms}. Names
   * may contain dots themselves, because names of phases are free; the name of an array's entry is
   * its position from 0.
   *
   * @return empty if the path does not exist or was not measured
   */
  public static OptionalDouble figure(JsonObject json, String path) {
    return json.fieldNames().stream()
        .map(name -> figure(name, json.getValue(name), path))
        .filter(OptionalDouble::isPresent)
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  private static OptionalDouble figure(String name, @Nullable Object value, String path) {
    if (value instanceof Number number && path.equals(name)) {
      return OptionalDouble.of(number.doubleValue());
    }
    if (!path.startsWith(name + ".")) {
      return OptionalDouble.empty();
    }
    String rest = path.substring(name.length() + 1);
    if (value instanceof JsonObject inner) {
      return figure(inner, rest);
    }
    return value instanceof JsonArray entries ? entry(entries, rest) : OptionalDouble.empty();
  }

  private static OptionalDouble entry(JsonArray entries, String path) {
    return IntStream.range(0, entries.size())
        .mapToObj(position -> figure(Integer.toString(position), entries.getValue(position), path))
        .filter(OptionalDouble::isPresent)
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  private static JsonObject subject(RunResult.Subject subject) {
    return new JsonObject()
        .put("name", subject.name())
        .put("version", subject.version())
        .put("command", new JsonArray(subject.command()));
  }

  /** Where and how a run was made. */
  public static JsonObject environment(RunResult.Environment environment) {
    return new JsonObject()
        .put("started", environment.started().toString())
        .put("vertlet", environment.vertlet())
        .put("commit", environment.commit())
        .put("load_average", rounded(environment.loadAverage()))
        .put("target", environment.target())
        .put("kubernetes", environment.kubernetes())
        .put("cores", environment.cores())
        .put("java", environment.java())
        .put("system", environment.system())
        .put("arguments", new JsonArray(environment.arguments()));
  }

  private static JsonObject phase(PhaseResult phase) {
    List<PhaseResult.Second> timeline = phase.timeline();
    return new JsonObject()
        .put("warm_up", phase.warmUp())
        .put("began_s", rounded(phase.beganSeconds()))
        .put("seconds", rounded(phase.seconds()))
        .put("created", phase.created())
        .put("ready", phase.ready())
        .put("deleted", phase.deleted())
        .put("gone", phase.gone())
        .put("updates", phase.updates())
        .put("per_s", rounded(phase.perSecond()))
        .put("create", latencies(phase.create()))
        .put("delete", latencies(phase.delete()))
        .put("cpu_ms", rounded(phase.cpuMillis()))
        .put("cpu_ms_per_pod", rounded(phase.cpuMillisPerPod()))
        .put("cpu_percent", rounded(phase.cpuPercent()))
        .put("heap", phase.heap().map(heap -> heap(heap, phase)).orElse(null))
        .put(
            "timeline",
            new JsonObject()
                .put("ready", array(timeline.stream().map(PhaseResult.Second::ready).toList()))
                .put("gone", array(timeline.stream().map(PhaseResult.Second::gone).toList())));
  }

  private static JsonObject heap(LiveHeap heap, PhaseResult phase) {
    return new JsonObject()
        .put("before_bytes", heap.before())
        .put("after_bytes", heap.after())
        .put("bytes_per_pod", rounded(phase.heapBytesPerPod()));
  }

  /** A distribution; its values are null without measurements. */
  public static JsonObject latencies(Latencies latencies) {
    // an open gap is part of no distribution but may be the longest
    boolean measured = latencies.count() > 0;
    boolean open = latencies.max() > 0;
    return new JsonObject()
        .put("count", latencies.count())
        .put("p50_ms", measured ? rounded(latencies.p50()) : null)
        .put("p90_ms", measured ? rounded(latencies.p90()) : null)
        .put("p99_ms", measured ? rounded(latencies.p99()) : null)
        .put("max_ms", measured || open ? rounded(latencies.max()) : null)
        .put("curve", array(latencies.curve().stream().map(RunJson::point).toList()));
  }

  private static JsonArray point(Latencies.Point point) {
    return new JsonArray()
        .add(Math.round(point.percentile() * PERCENTILE_PARTS) / PERCENTILE_PARTS)
        .add(rounded(point.millis()));
  }

  private static JsonObject resources(Resources resources) {
    return new JsonObject()
        .put("ready_mib", rounded(resources.readyMiB()))
        .put("full_mib", rounded(resources.fullMiB()))
        .put("end_mib", rounded(resources.endMiB()))
        .put("peak_mib", rounded(resources.peakMiB()))
        .put("slope_mib_per_hour", rounded(resources.slopeMiBPerHour()))
        .put("samples", array(resources.samples().stream().map(RunJson::sample).toList()));
  }

  private static JsonObject sample(Resources.Sample sample) {
    return new JsonObject()
        .put("at_s", rounded(sample.seconds()))
        .put("cpu_ms", rounded(sample.cpuMillis()))
        .put("resident_mib", rounded(sample.residentMiB()));
  }

  private static JsonObject traffic(Traffic traffic, long pods) {
    long requests = traffic.requests().stream().mapToLong(Traffic.Requests::count).sum();
    long bytes = traffic.bytesSent() + traffic.bytesReceived();
    return new JsonObject()
        .put("requests_per_pod", perPod(requests, pods))
        .put("bytes_per_pod", perPod(bytes, pods))
        .put("bytes_sent", traffic.bytesSent())
        .put("bytes_received", traffic.bytesReceived())
        .put(
            "requests",
            array(traffic.requests().stream().map(kind -> requests(kind, pods)).toList()));
  }

  private static JsonObject requests(Traffic.Requests requests, long pods) {
    return new JsonObject()
        .put("verb", requests.verb())
        .put("resource", requests.resource())
        .put("count", requests.count())
        .put("failures", requests.failures())
        .put("sent_bytes", requests.sentBytes())
        .put("received_bytes", requests.receivedBytes())
        .put("count_per_pod", perPod(requests.count(), pods))
        .put("bytes_per_pod", perPod(requests.sentBytes() + requests.receivedBytes(), pods));
  }

  private static @Nullable Double perPod(long sum, long pods) {
    return pods == 0 ? null : rounded((double) sum / pods);
  }

  private static JsonObject fault(RunResult.FaultRecord fault) {
    return new JsonObject().put("at_s", rounded(fault.seconds())).put("what", fault.what());
  }

  private static JsonObject restart(RunResult.Restart restart) {
    OptionalLong patches = restart.statusPatches();
    return new JsonObject()
        .put("at_s", rounded(restart.seconds()))
        .put("serving_s", rounded(restart.servingSeconds()))
        .put("status_patches", patches.isPresent() ? patches.getAsLong() : null);
  }

  private static JsonObject outage(RunResult.Outage outage) {
    return new JsonObject()
        .put("at_s", rounded(outage.seconds()))
        .put("leases_s", rounded(outage.leasesSeconds()))
        .put("pods", outage.pods())
        .put("pods_s", rounded(outage.podsSeconds()));
  }

  private static JsonObject threshold(RunResult.ThresholdResult threshold) {
    return new JsonObject()
        .put("figure", threshold.figure())
        .put("min", rounded(threshold.min()))
        .put("max", rounded(threshold.max()))
        .put("value", rounded(threshold.value()))
        .put("met", threshold.met())
        .put("detail", threshold.detail());
  }

  private static JsonArray array(List<?> values) {
    return new JsonArray(values);
  }

  /** Rounds a value; null for NaN and infinity, which JSON cannot express. */
  static @Nullable Double rounded(double value) {
    return Double.isFinite(value) ? Math.round(value * PARTS) / PARTS : null;
  }
}
