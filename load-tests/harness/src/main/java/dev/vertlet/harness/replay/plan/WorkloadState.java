package dev.vertlet.harness.replay.plan;

import dev.vertlet.harness.replay.plan.PodTemplates.Annotation;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.util.ArrayList;
import java.util.List;

/**
 * A recorded workload while the plan is made: numbers its pod templates in the order in which they
 * appear, as the recording does, and keeps the object as the cluster has it by then.
 */
final class WorkloadState {
  /** Number of a template of a workload with several; its pods take any life of the workload. */
  static final int ANY = -1;

  private static final String CRON_JOB = "CronJob";
  private static final String JOB = "Job";
  private static final String SPEC = "spec";

  private final WorkloadRef workload;
  private final int position;
  private final int scale;
  private final PodTemplates templates;
  private final List<JsonPointer> pointers;
  private final boolean pulled;

  /** Templates so far, as they were recorded. */
  private final List<JsonObject> versions = new ArrayList<>();

  private JsonObject current = new JsonObject();

  /**
   * @param position in {@link Recording#workloads}
   * @param paths JSON pointers of the pod templates; empty for the usual place
   * @param pulled whether a pod of the workload pulled an image
   */
  WorkloadState(
      WorkloadRef workload,
      int position,
      int scale,
      PodTemplates templates,
      List<String> paths,
      boolean pulled) {
    this.workload = workload;
    this.position = position;
    this.scale = scale;
    this.templates = templates;
    this.pointers =
        (paths.isEmpty() ? List.of(usual(workload)) : paths)
            .stream().map(JsonPointer::from).toList();
    this.pulled = pulled;
  }

  private static String usual(WorkloadRef workload) {
    if (workload.isBarePod()) {
      return "";
    }
    return workload.kind().equals(CRON_JOB) ? "/spec/jobTemplate/spec/template" : "/spec/template";
  }

  boolean isCronJob() {
    return workload.kind().equals(CRON_JOB) && workload.apiVersion().startsWith("batch/");
  }

  boolean isJob() {
    return workload.kind().equals(JOB) && workload.apiVersion().startsWith("batch/");
  }

  /** Object to create. */
  JsonObject created(JsonObject recorded) {
    current = prepared(recorded);
    return current.copy();
  }

  /** Patch to a changed object; empty if nothing that matters has changed. */
  JsonObject changed(JsonObject recorded) {
    JsonObject next = prepared(recorded);
    JsonObject patch = MergePatch.between(current, next);
    current = next;
    return patch;
  }

  /** Patch to another number of replicas. */
  JsonObject scaled(int replicas) {
    String field = isJob() ? "parallelism" : "replicas";
    JsonObject next = current.copy();
    PodTemplates.object(next, SPEC).put(field, replicas * scale);
    JsonObject patch = MergePatch.between(current, next);
    current = next;
    return patch;
  }

  /** Reduces the work of a Job by what was done before the recording. */
  static void reduce(JsonObject job, int done) {
    JsonObject spec = job.getJsonObject(SPEC);
    Integer completions = spec.getInteger("completions");
    if (completions != null && !"Indexed".equals(spec.getString("completionMode"))) {
      spec.put("completions", Math.max(1, completions - done));
    }
  }

  private JsonObject prepared(JsonObject recorded) {
    JsonObject made = recorded.copy();
    made.remove("status");
    made.put("apiVersion", workload.apiVersion()).put("kind", workload.kind());
    JsonObject metadata = new JsonObject().put("name", workload.name());
    if (!workload.namespace().isEmpty()) {
      metadata.put("namespace", workload.namespace());
    }
    JsonObject labels = PodTemplates.object(PodTemplates.object(made, "metadata"), "labels");
    made.put("metadata", metadata.put("labels", labels.put(ReplayLabels.REPLAY, templates.id())));
    if (!workload.isBarePod()) {
      for (JsonPointer pointer : pointers) {
        if (pointer.queryJson(made) instanceof JsonObject template) {
          pointer.writeJson(made, templates.prepared(template, annotation(template), pulled));
        }
      }
      size(PodTemplates.object(made, SPEC));
    }
    return made;
  }

  /** Adapts numbers, and leaves out what controllers would do a second time or at other times. */
  private void size(JsonObject spec) {
    spec.remove("volumeClaimTemplates");
    if (spec.getValue("replicas") instanceof Integer replicas) {
      spec.put("replicas", replicas * scale);
    }
    if (isCronJob()) {
      spec.put("suspend", true);
    }
    if (isJob()) {
      job(spec, scale);
    }
  }

  /** Adapts the spec of a Job. */
  static void job(JsonObject spec, int scale) {
    // recorded deletions are replayed, and times of the recording would not be scaled
    List.of("ttlSecondsAfterFinished", "activeDeadlineSeconds", "selector", "manualSelector")
        .forEach(spec::remove);
    boolean indexed = "Indexed".equals(spec.getString("completionMode"));
    if (scale > 1) {
      int parallelism = spec.getInteger("parallelism", 1);
      spec.put("parallelism", parallelism * scale);
      if (indexed || spec.containsKey("completions") || parallelism == 1) {
        spec.put("completions", spec.getInteger("completions", 1) * scale);
      }
    }
  }

  private Annotation annotation(JsonObject template) {
    int number = pointers.size() == 1 ? number(template) : ANY;
    return new Annotation(ReplayLabels.TEMPLATE, position + "/" + number);
  }

  private int number(JsonObject template) {
    JsonObject pod = podTemplate(template);
    int known = versions.indexOf(pod);
    if (known >= 0) {
      return known;
    }
    versions.add(pod);
    return versions.size() - 1;
  }

  /**
   * Pod as a controller would make it.
   *
   * @param template number of the template; another one if that is unknown
   */
  JsonObject pod(int template, Annotation annotation) {
    JsonObject recorded =
        versions.isEmpty()
            ? new JsonObject()
            : versions.get(Math.max(0, Math.min(template, versions.size() - 1)));
    return templates
        .prepared(recorded, annotation, pulled)
        .put("apiVersion", "v1")
        .put("kind", "Pod");
  }

  /** Learns the templates of a workload that is not created itself. */
  void learn(JsonObject recorded) {
    for (JsonPointer pointer : pointers) {
      if (pointer.queryJson(recorded) instanceof JsonObject template) {
        number(template);
      }
    }
  }

  /** What makes a template another one: labels and spec. */
  private static JsonObject podTemplate(JsonObject template) {
    JsonObject metadata = template.getJsonObject("metadata", new JsonObject());
    return new JsonObject()
        .put(
            "metadata",
            new JsonObject()
                .put("labels", metadata.getJsonObject("labels", new JsonObject()).copy()))
        .put(SPEC, template.getJsonObject(SPEC, new JsonObject()).copy());
  }

  /** Spec of the Jobs that a CronJob makes, with their labels. */
  JsonObject jobOf(String name) {
    JsonObject template =
        current.getJsonObject(SPEC).getJsonObject("jobTemplate", new JsonObject()).copy();
    JsonObject labels = PodTemplates.object(PodTemplates.object(template, "metadata"), "labels");
    JsonObject spec = PodTemplates.object(template, SPEC);
    job(spec, scale);
    return new JsonObject()
        .put("apiVersion", workload.apiVersion())
        .put("kind", JOB)
        .put(
            "metadata",
            new JsonObject()
                .put("name", name)
                .put("namespace", workload.namespace())
                .put("labels", labels.put(ReplayLabels.REPLAY, templates.id())))
        .put(SPEC, spec);
  }
}
