package dev.vertlet.trace.record.sanitize;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns objects of the API into what may enter a trace, by {@link AllowList}s alone. */
public final class Sanitizer {
  /** Labels that controllers make: a replay's controllers make them again, with other values. */
  private static final Set<String> MADE_BY_JOBS =
      Set.of(
          "controller-uid",
          "job-name",
          "batch.kubernetes.io/controller-uid",
          "batch.kubernetes.io/job-name");

  private static final AllowList METADATA =
      AllowList.of("name:name", "namespace:name", "labels:labels");

  private static final AllowList TAINT = AllowList.of("key:key", "value:name", "effect");

  private final Anonymizer names;
  private final Map<String, AllowList> named = new HashMap<>();

  /**
   * @param kinds those that flags have named
   */
  public Sanitizer(Anonymizer names, List<WorkloadKind> kinds) {
    this.names = names;
    for (WorkloadKind kind : kinds) {
      AllowList allowed = AllowList.of("spec/replicas");
      for (String template : kind.templates()) {
        allowed = allowed.with(template.substring(1), PodFields.TEMPLATE);
      }
      named.put(kind.key(), allowed);
    }
  }

  /** Returns the name under which an object appears in the trace. */
  public String name(String text) {
    return names.name(text);
  }

  /** Returns the reference under which an object appears in the trace. */
  public WorkloadRef ref(WorkloadRef ref) {
    return new WorkloadRef(
        ref.apiVersion(), ref.kind(), names.name(ref.namespace()), names.name(ref.name()));
  }

  /** Returns the allowed part of a workload or a bare pod. */
  public JsonObject workload(WorkloadRef ref, JsonNode object) {
    JsonObject copy = new JsonObject().put("apiVersion", ref.apiVersion()).put("kind", ref.kind());
    copy.put("metadata", METADATA.filter(object.path("metadata"), names));
    AllowList custom = named.get(ref.apiVersion() + "." + ref.kind());
    if (custom != null) {
      return copy.mergeIn(custom.filter(object, names));
    }
    AllowList allowed = WorkloadFields.SPECS.get(ref.kind());
    if (allowed == null) {
      throw new IllegalArgumentException(ref.kind() + " is not recorded");
    }
    JsonObject spec = allowed.filter(object.path("spec"), names);
    copy.put("spec", spec);
    if (ref.kind().equals("Job")) {
      ownJob(spec);
    } else if (ref.kind().equals("CronJob")) {
      ownJob(spec.getJsonObject("jobTemplate", new JsonObject()).getJsonObject("spec"));
    }
    return copy;
  }

  /** Removes the selector and the labels that the API server has made for a Job. */
  private void ownJob(@Nullable JsonObject job) {
    if (job == null || job.getBoolean("manualSelector", false)) {
      return;
    }
    job.remove("selector");
    JsonObject labels =
        job.getJsonObject("template", new JsonObject())
            .getJsonObject("metadata", new JsonObject())
            .getJsonObject("labels");
    if (labels != null) {
      MADE_BY_JOBS.forEach(label -> labels.remove(names.key(label)));
    }
  }

  /** Returns the shape of a node. */
  public RecordedNode node(JsonNode node) {
    JsonNode status = node.path("status");
    List<RecordedNode.Taint> taints = new ArrayList<>();
    for (JsonNode taint : node.path("spec").path("taints")) {
      JsonObject copy = TAINT.filter(taint, names);
      if (!isCondition(copy.getString("key", ""))) {
        taints.add(
            new RecordedNode.Taint(
                copy.getString("key", ""),
                copy.getString("value", ""),
                copy.getString("effect", "")));
      }
    }
    return new RecordedNode(
        names.name(node.path("metadata").path("name").asText()),
        texts(METADATA.filter(node.path("metadata"), names).getJsonObject("labels")),
        taints,
        quantities(status.path("capacity")),
        quantities(status.path("allocatable")),
        node.path("spec").path("unschedulable").asBoolean());
  }

  /** Whether a taint only repeats what conditions or the field unschedulable say. */
  private static boolean isCondition(String key) {
    return switch (key) {
      case "node.kubernetes.io/not-ready",
          "node.kubernetes.io/unreachable",
          "node.kubernetes.io/unschedulable",
          "node.kubernetes.io/memory-pressure",
          "node.kubernetes.io/disk-pressure",
          "node.kubernetes.io/pid-pressure",
          "node.kubernetes.io/network-unavailable" ->
          true;
      default -> false;
    };
  }

  private static Map<String, String> texts(@Nullable JsonObject json) {
    Map<String, String> map = new HashMap<>();
    if (json != null) {
      json.fieldNames().forEach(key -> map.put(key, json.getString(key)));
    }
    return map;
  }

  private static Map<String, String> quantities(JsonNode json) {
    Map<String, String> map = new HashMap<>();
    json.properties().forEach(each -> map.put(each.getKey(), each.getValue().asText()));
    return map;
  }

  /** Returns the number of replicas that a scaling changes; null for a kind without one. */
  public static @Nullable Integer replicas(JsonObject object) {
    JsonObject spec = object.getJsonObject("spec");
    return spec == null ? null : spec.getInteger(replicasField(object));
  }

  private static String replicasField(JsonObject object) {
    return "Job".equals(object.getString("kind"))
            && object.getString("apiVersion", "").startsWith("batch/")
        ? "parallelism"
        : "replicas";
  }

  /** Returns the object without the number that a scaling changes, as text to compare. */
  public static String withoutReplicas(JsonObject object) {
    JsonObject spec = object.getJsonObject("spec");
    if (spec == null || !spec.containsKey(replicasField(object))) {
      return object.encode();
    }
    JsonObject rest = spec.copy();
    rest.remove(replicasField(object));
    return object.copy().put("spec", rest).encode();
  }

  /** Returns the sanitised pod templates of a workload as text to compare. */
  public static String templates(JsonObject object) {
    JsonArray found = new JsonArray();
    collect(object.getJsonObject("spec"), found);
    return found.encode();
  }

  private static void collect(@Nullable JsonObject spec, JsonArray found) {
    if (spec != null) {
      JsonObject template = spec.getJsonObject("template");
      if (template != null) {
        found.add(template);
      }
      collect(spec.getJsonObject("jobTemplate", new JsonObject()).getJsonObject("spec"), found);
    }
  }
}
