package dev.vertlet.harness.result;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Reads the output of {@link RunJson}, except for derived figures. */
final class RunReader {
  private RunReader() {}

  static RunResult run(JsonFields run) {
    if (run.count("format") != RunJson.FORMAT) {
      throw run.wrong("format", run.count("format"), String.valueOf(RunJson.FORMAT));
    }
    JsonFields phases = run.object("phases");
    return new RunResult(
        run.text("scenario"),
        subject(run.object("subject")),
        environment(run.object("environment")),
        run.count("nodes"),
        run.number("nodes_ready_after_s"),
        phases.json().fieldNames().stream().map(name -> phase(name, phases.object(name))).toList(),
        resources(run.object("resources")),
        latencies(run.object("lease_gaps")),
        run.count("node_flips"),
        run.count("pod_flips"),
        run.count("lost"),
        run.count("errors"),
        run.text("last_error"),
        run.has("traffic") ? Optional.of(traffic(run.object("traffic"))) : Optional.empty(),
        run.objects("faults").map(RunReader::fault).toList(),
        run.has("restarts") ? run.objects("restarts").map(RunReader::restart).toList() : List.of(),
        run.has("outages") ? run.objects("outages").map(RunReader::outage).toList() : List.of(),
        run.objects("thresholds").map(RunReader::threshold).toList(),
        run.has("control_plane")
            ? Optional.of(ControlPlaneJsonReader.read(run.object("control_plane"), run))
            : Optional.empty());
  }

  private static RunResult.Subject subject(JsonFields subject) {
    return new RunResult.Subject(
        subject.text("name"),
        subject.has("version") ? subject.text("version") : "",
        subject.texts("command"));
  }

  private static RunResult.Environment environment(JsonFields environment) {
    return new RunResult.Environment(
        started(environment),
        environment.has("vertlet") ? environment.text("vertlet") : "",
        environment.has("commit") ? environment.text("commit") : "",
        environment.number("load_average", Double.NaN),
        environment.text("target"),
        environment.text("kubernetes"),
        environment.count("cores"),
        environment.text("java"),
        environment.text("system"),
        environment.texts("arguments"));
  }

  private static Instant started(JsonFields environment) {
    String text = environment.text("started");
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw environment.wrong("started", text, "a time such as 2026-01-31T12:00:00Z");
    }
  }

  private static PhaseResult phase(String name, JsonFields phase) {
    return new PhaseResult(
        name,
        phase.flag("warm_up"),
        phase.number("began_s"),
        phase.number("seconds"),
        phase.count("created"),
        phase.count("ready"),
        phase.count("deleted"),
        phase.count("gone"),
        phase.count("updates"),
        latencies(phase.object("create")),
        latencies(phase.object("delete")),
        phase.number("cpu_ms"),
        timeline(phase.object("timeline")),
        phase.has("heap") ? Optional.of(heap(phase.object("heap"))) : Optional.empty());
  }

  private static LiveHeap heap(JsonFields heap) {
    return new LiveHeap(heap.longCount("before_bytes"), heap.longCount("after_bytes"));
  }

  private static List<PhaseResult.Second> timeline(JsonFields timeline) {
    List<Integer> ready = timeline.counts("ready");
    List<Integer> gone = timeline.counts("gone");
    if (ready.size() != gone.size()) {
      throw timeline.wrong("gone", gone.size() + " entries", "as long as ready");
    }
    return IntStream.range(0, ready.size())
        .mapToObj(second -> new PhaseResult.Second(ready.get(second), gone.get(second)))
        .toList();
  }

  private static Latencies latencies(JsonFields latencies) {
    return new Latencies(
        latencies.longCount("count"),
        latencies.number("p50_ms", 0),
        latencies.number("p90_ms", 0),
        latencies.number("p99_ms", 0),
        latencies.number("max_ms", 0),
        latencies.pairs("curve").stream()
            .map(pair -> new Latencies.Point(pair[0], pair[1]))
            .toList());
  }

  private static Resources resources(JsonFields resources) {
    return new Resources(
        resources.number("ready_mib"),
        resources.number("full_mib"),
        resources.number("end_mib"),
        resources.number("peak_mib"),
        resources.number("slope_mib_per_hour", 0),
        resources
            .objects("samples")
            .map(
                sample ->
                    new Resources.Sample(
                        sample.number("at_s"),
                        sample.number("cpu_ms"),
                        sample.number("resident_mib")))
            .toList());
  }

  private static Traffic traffic(JsonFields traffic) {
    return new Traffic(
        traffic
            .objects("requests")
            .map(
                requests ->
                    new Traffic.Requests(
                        requests.text("verb"),
                        requests.text("resource"),
                        requests.longCount("count"),
                        requests.longCount("failures"),
                        requests.longCount("sent_bytes"),
                        requests.longCount("received_bytes")))
            .toList(),
        traffic.longCount("bytes_sent"),
        traffic.longCount("bytes_received"));
  }

  private static RunResult.FaultRecord fault(JsonFields fault) {
    return new RunResult.FaultRecord(fault.number("at_s"), fault.text("what"));
  }

  private static RunResult.Restart restart(JsonFields restart) {
    return new RunResult.Restart(
        restart.number("at_s"),
        restart.number("serving_s", Double.NaN),
        restart.has("status_patches")
            ? OptionalLong.of(restart.longCount("status_patches"))
            : OptionalLong.empty());
  }

  private static RunResult.Outage outage(JsonFields outage) {
    return new RunResult.Outage(
        outage.number("at_s"),
        outage.number("leases_s", Double.NaN),
        outage.count("pods"),
        outage.number("pods_s", Double.NaN));
  }

  private static RunResult.ThresholdResult threshold(JsonFields threshold) {
    return new RunResult.ThresholdResult(
        threshold.text("figure"),
        threshold.number("min", Double.NEGATIVE_INFINITY),
        threshold.number("max", Double.POSITIVE_INFINITY),
        threshold.number("value", Double.NaN),
        threshold.flag("met"),
        threshold.has("detail") ? threshold.text("detail") : "");
  }
}
