package dev.vertlet.harness.result;

import dev.vertlet.harness.result.servicelevel.ComponentUsage;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.result.servicelevel.ControlPlaneResult;
import dev.vertlet.harness.result.servicelevel.ControlPlaneSample;
import dev.vertlet.harness.result.servicelevel.Curve;
import dev.vertlet.harness.result.servicelevel.LevelResult;
import dev.vertlet.harness.result.servicelevel.RequestKind;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import dev.vertlet.harness.result.servicelevel.ServiceLevels;
import dev.vertlet.harness.result.servicelevel.Source;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Reads the output of {@link ControlPlaneJson}, except for derived figures. */
final class ControlPlaneJsonReader {
  private ControlPlaneJsonReader() {}

  /**
   * @param run result with the outcomes of the levels
   */
  static ControlPlaneResult read(JsonFields plane, JsonFields run) {
    List<RequestLatency> requests =
        plane.objects("requests").map(ControlPlaneJsonReader::request).toList();
    JsonFields levels = run.object("service_levels");
    return new ControlPlaneResult(
        new ServiceLevels(
            Arrays.stream(ServiceLevel.values())
                .map(level -> level(level, levels.object(level.key())))
                .toList(),
            requests),
        new ControlPlaneRecord(
            plane.texts("notes"),
            requests.stream().filter(one -> one.source() == Source.API_SERVER).toList(),
            totals(plane.object("totals")),
            plane
                .objects("objects")
                .map(
                    entry ->
                        new ControlPlaneRecord.ObjectCount(
                            entry.text("resource"), entry.longCount("count")))
                .toList(),
            plane.objects("components").map(ControlPlaneJsonReader::component).toList(),
            plane.objects("samples").map(ControlPlaneJsonReader::sample).toList()));
  }

  private static LevelResult level(ServiceLevel level, JsonFields json) {
    return new LevelResult(
        level,
        json.longCount("count"),
        json.number("p99_ms", Double.NaN),
        json.text("worst"),
        source(json));
  }

  private static Source source(JsonFields json) {
    String key = json.text("measured_by");
    try {
      return Source.of(key);
    } catch (IllegalArgumentException e) {
      throw json.wrong("measured_by", key, String.valueOf(e.getMessage()));
    }
  }

  private static RequestLatency request(JsonFields json) {
    return new RequestLatency(
        new RequestKind(
            json.text("verb"), json.text("group"), json.text("resource"), json.text("scope")),
        source(json),
        json.longCount("count"),
        json.number("p50_ms", Double.NaN),
        json.number("p90_ms", Double.NaN),
        json.number("p99_ms", Double.NaN));
  }

  private static ControlPlaneRecord.Totals totals(JsonFields json) {
    return new ControlPlaneRecord.Totals(
        json.number("rejected", Double.NaN),
        json.number("terminated", Double.NaN),
        json.number("watch_events", Double.NaN),
        json.number("etcd_p99_ms", Double.NaN),
        json.number("scheduling_attempts", Double.NaN),
        json.number("unschedulable", Double.NaN),
        json.number("scheduling_p99_ms", Double.NaN));
  }

  private static ComponentUsage component(JsonFields json) {
    return new ComponentUsage(
        json.text("name"),
        json.number("cpu_ms"),
        json.number("peak_mib"),
        json.objects("samples")
            .map(
                sample ->
                    new ComponentUsage.Sample(
                        sample.number("at_s"),
                        sample.number("cpu_percent", Double.NaN),
                        sample.number("resident_mib")))
            .toList());
  }

  private static ControlPlaneSample sample(JsonFields json) {
    Map<Curve, Double> values = new EnumMap<>(Curve.class);
    for (Curve curve : Curve.values()) {
      if (json.has(curve.key())) {
        values.put(curve, json.number(curve.key()));
      }
    }
    return new ControlPlaneSample(json.number("at_s"), values);
  }
}
