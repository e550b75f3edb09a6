package dev.vertlet.trace;

import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeChanged;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.RecordingEnded;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadChanged;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON form of headers and events; docs/trace-format.md describes it. */
public final class TraceJson {
  private static final List<String> TYPES =
      List.of(
          "node-added",
          "node-changed",
          "node-left",
          "workload-added",
          "workload-changed",
          "workload-scaled",
          "workload-deleted",
          "pod",
          "gap",
          "end");

  private TraceJson() {}

  /** Returns the header as the first line of a trace has it. */
  public static JsonObject of(TraceHeader header) {
    JsonObject kinds = new JsonObject();
    new TreeMap<>(header.kinds()).forEach((kind, paths) -> kinds.put(kind, new JsonArray(paths)));
    return new JsonObject()
        .put("trace", TraceHeader.FORMAT)
        .put("version", TraceHeader.VERSION)
        .put("started", header.started().toString())
        .put("cluster", header.cluster())
        .put("namespaces", new JsonArray(header.namespaces()))
        .put("kinds", kinds)
        .put("anonymized", header.anonymized());
  }

  /**
   * Reads a header.
   *
   * @throws TraceException naming the field, or the version if it is another one
   */
  static TraceHeader header(JsonObject json) {
    RecordFields fields = new RecordFields(json);
    if (!TraceHeader.FORMAT.equals(json.getValue("trace"))) {
      throw new TraceException("is not a trace: its first line lacks \"trace\":\"vertlet\"");
    }
    long version = fields.number("version");
    if (version != TraceHeader.VERSION) {
      throw new TraceException(
          "is a trace of version " + version + ", version " + TraceHeader.VERSION + " can be read");
    }
    String started = fields.text("started");
    try {
      return new TraceHeader(
          Instant.parse(started),
          fields.textOrEmpty("cluster"),
          fields.texts("namespaces"),
          fields.textsMap("kinds"),
          fields.flag("anonymized"));
    } catch (DateTimeParseException e) {
      throw fields.wrong("started", started, "a time like 2026-01-31T12:00:00.000Z is allowed");
    }
  }

  /** Returns the event as a line of a trace has it. */
  public static JsonObject of(TraceEvent event) {
    JsonObject json = new JsonObject().put("t", event.at());
    if (event instanceof NodeAdded added) {
      node(json.put("type", "node-added"), added.node());
    } else if (event instanceof NodeChanged changed) {
      node(json.put("type", "node-changed"), changed.node());
    } else if (event instanceof NodeLeft left) {
      json.put("type", "node-left").put("name", left.name());
    } else if (event instanceof WorkloadAdded added) {
      ref(json.put("type", "workload-added"), added.workload()).put("object", added.object());
    } else if (event instanceof WorkloadChanged changed) {
      ref(json.put("type", "workload-changed"), changed.workload()).put("object", changed.object());
    } else if (event instanceof WorkloadScaled scaled) {
      ref(json.put("type", "workload-scaled"), scaled.workload())
          .put("replicas", scaled.replicas());
    } else if (event instanceof WorkloadDeleted deleted) {
      ref(json.put("type", "workload-deleted"), deleted.workload());
    } else if (event instanceof PodLived lived) {
      PodJson.write(lived.life(), json.put("type", "pod"));
    } else if (event instanceof Gap gap) {
      json.put("type", "gap").put("from", gap.from()).put("to", gap.to()).put("cause", gap.cause());
      if (gap.resource() != null) {
        json.put("resource", gap.resource());
      }
    } else if (event instanceof RecordingEnded) {
      json.put("type", "end");
    }
    return json;
  }

  private static JsonObject ref(JsonObject json, WorkloadRef ref) {
    json.put("apiVersion", ref.apiVersion()).put("kind", ref.kind());
    if (!ref.namespace().isEmpty()) {
      json.put("namespace", ref.namespace());
    }
    return json.put("name", ref.name());
  }

  private static void node(JsonObject json, RecordedNode node) {
    JsonArray taints = new JsonArray();
    for (RecordedNode.Taint taint : node.taints()) {
      taints.add(
          new JsonObject()
              .put("key", taint.key())
              .put("value", taint.value())
              .put("effect", taint.effect()));
    }
    json.put("name", node.name())
        .put("labels", sorted(node.labels()))
        .put("taints", taints)
        .put("capacity", sorted(node.capacity()))
        .put("allocatable", sorted(node.allocatable()));
    if (node.unschedulable()) {
      json.put("unschedulable", true);
    }
  }

  private static JsonObject sorted(Map<String, String> map) {
    JsonObject json = new JsonObject();
    new TreeMap<>(map).forEach(json::put);
    return json;
  }

  /**
   * Reads an event.
   *
   * @throws TraceException naming the field
   */
  static TraceEvent event(JsonObject json) {
    RecordFields fields = new RecordFields(json);
    long at = fields.offset("t");
    String type = fields.text("type");
    return switch (type) {
      case "node-added" -> new NodeAdded(at, node(fields));
      case "node-changed" -> new NodeChanged(at, node(fields));
      case "node-left" -> new NodeLeft(at, fields.text("name"));
      case "workload-added" -> new WorkloadAdded(at, ref(fields), fields.object("object"));
      case "workload-changed" -> new WorkloadChanged(at, ref(fields), fields.object("object"));
      case "workload-scaled" -> new WorkloadScaled(at, ref(fields), fields.count("replicas"));
      case "workload-deleted" -> new WorkloadDeleted(at, ref(fields));
      case "pod" -> new PodLived(at, PodJson.read(fields));
      case "gap" ->
          new Gap(
              at,
              fields.offset("from"),
              fields.offset("to"),
              fields.text("cause"),
              fields.optionalText("resource"));
      case "end" -> new RecordingEnded(at);
      default ->
          throw fields.wrong("type", type, "one of " + String.join(", ", TYPES) + " is allowed");
    };
  }

  private static WorkloadRef ref(RecordFields fields) {
    return new WorkloadRef(
        fields.text("apiVersion"),
        fields.text("kind"),
        fields.textOrEmpty("namespace"),
        fields.text("name"));
  }

  private static RecordedNode node(RecordFields fields) {
    List<RecordedNode.Taint> taints =
        fields.list("taints").stream()
            .map(
                taint ->
                    new RecordedNode.Taint(
                        taint.text("key"), taint.textOrEmpty("value"), taint.text("effect")))
            .toList();
    return new RecordedNode(
        fields.text("name"),
        fields.textMap("labels"),
        taints,
        fields.textMap("capacity"),
        fields.textMap("allocatable"),
        fields.flag("unschedulable"));
  }
}
