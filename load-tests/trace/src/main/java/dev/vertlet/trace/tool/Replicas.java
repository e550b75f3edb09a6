package dev.vertlet.trace.tool;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The numbers of pods that workloads ask for. */
final class Replicas {
  private Replicas() {}

  /** Returns a copy with another number of replicas; of a Job, another parallelism. */
  static JsonObject with(JsonObject workload, int replicas) {
    JsonObject copy = workload.copy();
    JsonObject spec = copy.getJsonObject("spec");
    if (spec != null) {
      spec.put(isJob(copy) ? "parallelism" : "replicas", replicas);
    }
    return copy;
  }

  /** Returns a copy that asks for {@code factor} times the pods. */
  static JsonObject scaled(JsonObject workload, double factor) {
    JsonObject copy = workload.copy();
    JsonObject spec = copy.getJsonObject("spec");
    if (spec == null) {
      return copy;
    }
    scale(spec, "replicas", factor);
    if (isJob(copy)) {
      scaleJob(spec, factor);
    }
    scaleJob(spec.getJsonObject("jobTemplate", new JsonObject()).getJsonObject("spec"), factor);
    return copy;
  }

  private static void scaleJob(@Nullable JsonObject job, double factor) {
    if (job != null) {
      scale(job, "parallelism", factor);
      scale(job, "completions", factor);
    }
  }

  private static void scale(JsonObject spec, String field, double factor) {
    Integer count = spec.getInteger(field);
    if (count != null) {
      spec.put(field, scaled(count, factor));
    }
  }

  static int scaled(int count, double factor) {
    return (int) Math.min(Integer.MAX_VALUE, Math.round(count * factor));
  }

  private static boolean isJob(JsonObject workload) {
    return "Job".equals(workload.getString("kind"))
        && workload.getString("apiVersion", "").startsWith("batch/");
  }
}
