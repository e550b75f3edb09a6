package dev.vertlet.harness.result;

import dev.vertlet.harness.result.servicelevel.ComponentUsage;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord.Totals;
import dev.vertlet.harness.result.servicelevel.ControlPlaneResult;
import dev.vertlet.harness.result.servicelevel.ControlPlaneSample;
import dev.vertlet.harness.result.servicelevel.LevelResult;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import dev.vertlet.harness.result.servicelevel.ServiceLevels;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Service levels and the record of a control plane as JSON, as in a load test's result. */
public final class ControlPlaneJson {
  private ControlPlaneJson() {}

  /** Outcome of each level by its name. */
  public static JsonObject levels(ServiceLevels levels) {
    JsonObject json = new JsonObject();
    levels.levels().forEach(level -> json.put(level.level().key(), level(level)));
    return json;
  }

  private static JsonObject level(LevelResult level) {
    return new JsonObject()
        .put("count", level.count())
        .put("p99_ms", rounded(level.p99()))
        .put("limit_ms", level.level().limitMillis())
        .put("worst", level.worst())
        .put("measured_by", level.source().key())
        .put("met", level.met());
  }

  /** Record of the control plane, with the latencies by which the levels were judged. */
  public static JsonObject of(ControlPlaneResult result) {
    ControlPlaneRecord plane = result.plane();
    JsonArray requests = new JsonArray();
    result.levels().requests().forEach(latency -> requests.add(request(latency)));
    JsonArray components = new JsonArray();
    plane.components().forEach(component -> components.add(component(component)));
    JsonArray samples = new JsonArray();
    plane.samples().forEach(sample -> samples.add(sample(sample)));
    JsonArray objects = new JsonArray();
    plane
        .objects()
        .forEach(
            entry ->
                objects.add(
                    new JsonObject()
                        .put("resource", entry.resource())
                        .put("count", entry.count())));
    return new JsonObject()
        .put("notes", new JsonArray(plane.notes()))
        .put("totals", totals(plane.totals()))
        .put("requests", requests)
        .put("objects", objects)
        .put("components", components)
        .put("samples", samples);
  }

  private static JsonObject totals(Totals totals) {
    return new JsonObject()
        .put("rejected", rounded(totals.rejected()))
        .put("terminated", rounded(totals.terminated()))
        .put("watch_events", rounded(totals.watchEvents()))
        .put("etcd_p99_ms", rounded(totals.etcdP99()))
        .put("scheduling_attempts", rounded(totals.schedulingAttempts()))
        .put("unschedulable", rounded(totals.unschedulable()))
        .put("scheduling_p99_ms", rounded(totals.schedulingP99()));
  }

  private static JsonObject request(RequestLatency latency) {
    return new JsonObject()
        .put("verb", latency.kind().verb())
        .put("group", latency.kind().group())
        .put("resource", latency.kind().resource())
        .put("scope", latency.kind().scope())
        .put("measured_by", latency.source().key())
        .put("level", ServiceLevel.of(latency.kind()).map(ServiceLevel::key).orElse(null))
        .put("count", latency.count())
        .put("p50_ms", rounded(latency.p50()))
        .put("p90_ms", rounded(latency.p90()))
        .put("p99_ms", rounded(latency.p99()));
  }

  private static JsonObject component(ComponentUsage component) {
    JsonArray samples = new JsonArray();
    component
        .samples()
        .forEach(
            sample ->
                samples.add(
                    new JsonObject()
                        .put("at_s", rounded(sample.seconds()))
                        .put("cpu_percent", rounded(sample.cpuPercent()))
                        .put("resident_mib", rounded(sample.residentMiB()))));
    return new JsonObject()
        .put("name", component.name())
        .put("cpu_ms", rounded(component.cpuMillis()))
        .put("peak_mib", rounded(component.peakMiB()))
        .put("samples", samples);
  }

  private static JsonObject sample(ControlPlaneSample sample) {
    JsonObject json = new JsonObject().put("at_s", rounded(sample.seconds()));
    sample.values().forEach((curve, value) -> json.put(curve.key(), rounded(value)));
    return json;
  }

  private static @Nullable Double rounded(double value) {
    return RunJson.rounded(value);
  }
}
