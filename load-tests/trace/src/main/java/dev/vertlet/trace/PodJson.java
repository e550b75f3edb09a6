package dev.vertlet.trace;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON form of {@link PodLife}; docs/trace-format.md describes it. */
final class PodJson {
  private PodJson() {}

  static void write(PodLife life, JsonObject json) {
    PodIdentity identity = life.identity();
    json.put("id", identity.id())
        .put("namespace", identity.namespace())
        .put("name", identity.name());
    if (!identity.owner().isBarePod()) {
      WorkloadRef owner = identity.owner();
      json.put(
          "owner",
          new JsonObject()
              .put("apiVersion", owner.apiVersion())
              .put("kind", owner.kind())
              .put("name", owner.name()));
      if (!owner.namespace().equals(identity.namespace())) {
        json.getJsonObject("owner").put("namespace", owner.namespace());
      }
    }
    json.put("template", identity.template());
    put(json, "index", identity.index());
    put(json, "node", life.node());
    PodTimes times = life.times();
    json.put("created", times.created());
    put(json, "scheduled", times.scheduled());
    put(json, "started", times.started());
    put(json, "ready", times.ready());
    put(json, "ended", times.ended());
    put(json, "deleting", times.deleting());
    put(json, "gone", times.gone());
    json.put("phase", life.outcome().phase());
    put(json, "reason", life.outcome().reason());
    JsonArray containers = new JsonArray();
    life.containers().forEach(container -> containers.add(container(container)));
    json.put("containers", containers)
        .put("cpuMillis", life.demand().cpuMillis())
        .put("memoryBytes", life.demand().memoryBytes());
    PodUsage usage = life.usage();
    if (usage != null) {
      json.put(
          "usage",
          new JsonObject()
              .put("cpuMillisMean", usage.cpuMillisMean())
              .put("cpuMillisMax", usage.cpuMillisMax())
              .put("memoryBytesMean", usage.memoryBytesMean())
              .put("memoryBytesMax", usage.memoryBytesMax())
              .put("samples", usage.samples()));
    }
  }

  private static JsonObject container(ContainerLife container) {
    JsonObject json = new JsonObject().put("name", container.name());
    if (container.init()) {
      json.put("init", true);
    }
    json.put("restarts", container.restarts());
    put(json, "pullMillis", container.pullMillis());
    JsonArray runs = new JsonArray();
    for (ContainerRun run : container.runs()) {
      JsonObject one = new JsonObject().put("started", run.started());
      put(one, "ended", run.ended());
      put(one, "exitCode", run.exitCode());
      put(one, "reason", run.reason());
      runs.add(one);
    }
    return json.put("runs", runs);
  }

  private static void put(JsonObject json, String key, @Nullable Object value) {
    if (value != null) {
      json.put(key, value);
    }
  }

  static PodLife read(RecordFields fields) {
    RecordFields usage = fields.optionalFields("usage");
    return new PodLife(
        identity(fields),
        fields.optionalText("node"),
        new PodTimes(
            fields.number("created"),
            fields.optionalNumber("scheduled"),
            fields.optionalNumber("started"),
            fields.optionalNumber("ready"),
            fields.optionalNumber("ended"),
            fields.optionalNumber("deleting"),
            fields.optionalNumber("gone")),
        new PodOutcome(fields.text("phase"), fields.optionalText("reason")),
        fields.list("containers").stream().map(PodJson::readContainer).toList(),
        new PodDemand(fields.offset("cpuMillis"), fields.offset("memoryBytes")),
        usage == null
            ? null
            : new PodUsage(
                usage.offset("cpuMillisMean"),
                usage.offset("cpuMillisMax"),
                usage.offset("memoryBytesMean"),
                usage.offset("memoryBytesMax"),
                usage.count("samples")));
  }

  private static PodIdentity identity(RecordFields fields) {
    String namespace = fields.text("namespace");
    String name = fields.text("name");
    RecordFields owner = fields.optionalFields("owner");
    WorkloadRef ref = new WorkloadRef("v1", "Pod", namespace, name);
    if (owner != null) {
      String other = owner.optionalText("namespace");
      ref =
          new WorkloadRef(
              owner.text("apiVersion"),
              owner.text("kind"),
              other == null ? namespace : other,
              owner.text("name"));
    }
    return new PodIdentity(
        fields.text("id"),
        namespace,
        name,
        ref,
        fields.count("template"),
        fields.optionalInt("index"));
  }

  private static ContainerLife readContainer(RecordFields fields) {
    List<ContainerRun> runs =
        fields.list("runs").stream()
            .map(
                run ->
                    new ContainerRun(
                        run.number("started"),
                        run.optionalNumber("ended"),
                        run.optionalInt("exitCode"),
                        run.optionalText("reason")))
            .toList();
    return new ContainerLife(
        fields.text("name"),
        fields.flag("init"),
        fields.count("restarts"),
        runs,
        fields.optionalNumber("pullMillis"));
  }
}
