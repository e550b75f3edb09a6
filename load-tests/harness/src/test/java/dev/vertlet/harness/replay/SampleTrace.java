package dev.vertlet.harness.replay;

import dev.vertlet.harness.replay.plan.Recording;
import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.ContainerRun;
import dev.vertlet.trace.PodDemand;
import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodOutcome;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.TraceWriter;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds small traces. */
public final class SampleTrace {
  public static final String NAMESPACE = "shop";
  public static final WorkloadRef WEB = workload("apps/v1", "Deployment", "web");
  public static final WorkloadRef JOB = workload("batch/v1", "Job", "import");
  public static final WorkloadRef CRON = workload("batch/v1", "CronJob", "report");

  private final List<TraceEvent> events = new ArrayList<>();
  private int pods;

  public static WorkloadRef workload(String apiVersion, String kind, String name) {
    return new WorkloadRef(apiVersion, kind, NAMESPACE, name);
  }

  public SampleTrace node(long at, String name) {
    return add(new TraceEvent.NodeAdded(at, shape(name)));
  }

  public static RecordedNode shape(String name) {
    return new RecordedNode(
        name,
        Map.of("kubernetes.io/hostname", name, "karpenter.sh/nodepool", "general"),
        List.of(new RecordedNode.Taint("node.kubernetes.io/not-ready", "", "NoSchedule")),
        Map.of("cpu", "4", "memory", "16Gi", "pods", "110"),
        Map.of("cpu", "3920m", "memory", "15Gi", "pods", "110"),
        false);
  }

  public SampleTrace add(TraceEvent event) {
    events.add(event);
    return this;
  }

  /** Pod template with one container. */
  public static JsonObject template(String version) {
    return new JsonObject()
        .put("metadata", new JsonObject().put("labels", new JsonObject().put("app", "a")))
        .put(
            "spec",
            new JsonObject()
                .put(
                    "containers",
                    new JsonArray()
                        .add(
                            new JsonObject()
                                .put("name", "main")
                                .put("image", "registry.example/app:" + version)
                                .put(
                                    "resources",
                                    new JsonObject()
                                        .put("requests", new JsonObject().put("cpu", "100m"))))));
  }

  public static JsonObject deployment(int replicas, String version) {
    return object(
        WEB,
        new JsonObject()
            .put("replicas", replicas)
            .put("selector", new JsonObject().put("matchLabels", new JsonObject().put("app", "a")))
            .put("template", template(version)));
  }

  public static JsonObject object(WorkloadRef workload, JsonObject spec) {
    return new JsonObject()
        .put("apiVersion", workload.apiVersion())
        .put("kind", workload.kind())
        .put(
            "metadata",
            new JsonObject()
                .put("name", workload.name())
                .put("namespace", workload.namespace())
                .put("labels", new JsonObject().put("team", "one")))
        .put("spec", spec);
  }

  /** Spec of a Job, also of a CronJob's. */
  public static JsonObject jobSpec() {
    JsonObject template = template("1");
    template.getJsonObject("spec").put("restartPolicy", "Never");
    return new JsonObject().put("completions", 1).put("parallelism", 1).put("template", template);
  }

  /**
   * Adds a pod that becomes Running and Ready, and ends with an exit code if {@code ended} is set.
   *
   * @param name of the pod
   * @param ended null for one that runs on
   */
  public SampleTrace pod(
      WorkloadRef owner, String name, long created, long started, @Nullable Long ended, int exit) {
    return pod(
        owner,
        name,
        new PodTimes(created, created + 20, started, started, ended, null, null),
        exit);
  }

  /** As {@link #pod}, and its object goes when it has ended. */
  public SampleTrace podThatGoes(
      WorkloadRef owner, String name, long created, long started, long ended) {
    return pod(
        owner, name, new PodTimes(created, created + 20, started, started, ended, null, ended), 0);
  }

  private SampleTrace pod(WorkloadRef owner, String name, PodTimes times, int exit) {
    Long ended = times.ended();
    Long started = times.started();
    return life(
        life(
            owner,
            name,
            times,
            new ContainerLife(
                "main",
                false,
                0,
                List.of(
                    new ContainerRun(
                        started == null ? 0 : started, ended, ended == null ? null : exit, null)),
                null)));
  }

  public SampleTrace life(PodLife life) {
    return add(new TraceEvent.PodLived(0, life));
  }

  public PodLife life(WorkloadRef owner, String name, PodTimes times, ContainerLife... containers) {
    return new PodLife(
        new PodIdentity("id-" + pods++, NAMESPACE, name, owner, 0, null),
        "n1",
        times,
        new PodOutcome(times.ended() == null ? "Running" : "Succeeded", null),
        List.of(containers),
        new PodDemand(100, 1 << 20),
        null);
  }

  /** The trace with its events in order, ended at an offset. */
  public Recording recording(long end) {
    return Recording.of(header(), sorted(end));
  }

  private List<TraceEvent> sorted(long end) {
    List<TraceEvent> sorted = new ArrayList<>(events);
    sorted.sort(Comparator.comparingLong(TraceEvent::at));
    sorted.add(new TraceEvent.RecordingEnded(end));
    return sorted;
  }

  public static TraceHeader header() {
    return new TraceHeader(Instant.parse("2026-01-31T12:00:00Z"), "c1", List.of(), Map.of(), false);
  }

  /** Writes the trace. */
  public Path write(Path file, long end) {
    try (TraceWriter writer = TraceWriter.create(file, header())) {
      sorted(end).forEach(writer::write);
    }
    return file;
  }
}
