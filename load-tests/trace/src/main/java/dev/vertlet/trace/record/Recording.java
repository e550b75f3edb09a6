package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.trace.TraceEvent;
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
import dev.vertlet.trace.WorkloadRef;
import dev.vertlet.trace.record.sanitize.Anonymizer;
import dev.vertlet.trace.record.sanitize.Sanitizer;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a trace contains of what the watches bring. Without clock, files and connections:
 * each call has its time. Confined to one thread.
 */
final class Recording {
  private static final Pattern PULLED =
      Pattern.compile(
          "Successfully pulled image .* in ([0-9.a-zµμ]+?)(?: \\(.*)?[.]?(?: Image size.*)?");

  private static final Pattern CONTAINER =
      Pattern.compile("spec\\.(initContainers|containers)\\{(.+)}");

  private final Timeline time;
  private final OwnerBook owners;
  private final NodeBook nodes;
  private final WorkloadBook workloads;
  private final PodBook pods;
  private final Sanitizer sanitizer;
  private long resumedFrom = -1;
  private long changes;

  /**
   * @param kinds all that are recorded, named ones included
   * @param started of the trace
   * @param out receives events whose offsets never decrease
   */
  Recording(Anonymizer names, List<WorkloadKind> kinds, Instant started, Consumer<TraceEvent> out) {
    this.time = new Timeline(started, out);
    this.sanitizer = new Sanitizer(names, kinds.stream().filter(WorkloadKind::named).toList());
    this.owners = new OwnerBook(kinds);
    TemplateNumbers templates = new TemplateNumbers();
    this.nodes = new NodeBook(time, sanitizer);
    this.workloads = new WorkloadBook(time, sanitizer, templates);
    this.pods = new PodBook(time, sanitizer, owners, workloads, templates);
  }

  /** Takes over an event that the trace has already; before anything else. */
  void restore(TraceEvent event) {
    resumedFrom = event.at();
    time.advance(event.at());
    if (event instanceof NodeAdded added) {
      nodes.restore(added.node());
    } else if (event instanceof NodeChanged changed) {
      nodes.restore(changed.node());
    } else if (event instanceof NodeLeft left) {
      nodes.restoreGone(left.name());
    } else if (event instanceof WorkloadAdded added) {
      workloads.restore(added.workload(), added.object());
    } else if (event instanceof WorkloadChanged changed) {
      workloads.restore(changed.workload(), changed.object());
    } else if (event instanceof WorkloadScaled scaled) {
      workloads.restoreScaled(scaled.workload(), scaled.replicas());
    } else if (event instanceof WorkloadDeleted deleted) {
      workloads.restoreGone(deleted.workload());
    } else if (event instanceof PodLived lived) {
      pods.restore(lived.life());
    }
  }

  /** Continues a trace whose events were restored; writes the gap. */
  void resume(Instant now) {
    time.advance(now);
    time.emit(new Gap(time.now(), Math.max(0, resumedFrom), time.now(), Gap.RECORDER, null));
  }

  /** The first lists are complete: what was restored and is not there any more has gone. */
  void synced(Instant now) {
    pods.synced();
    workloads.synced();
    nodes.synced();
    pods.checkpoint();
    time.advance(now);
    time.live();
  }

  private void change(Instant now) {
    if (time.isLive()) {
      time.advance(now);
      changes++;
    }
  }

  void node(String uid, JsonNode object, Instant now) {
    change(now);
    nodes.seen(uid, object);
  }

  void nodeGone(String uid, Instant now) {
    change(now);
    nodes.gone(uid);
  }

  void workload(WorkloadKind kind, String uid, JsonNode object, Instant now) {
    change(now);
    JsonNode metadata = object.path("metadata");
    WorkloadRef ref =
        new WorkloadRef(
            kind.apiVersion(),
            kind.kind(),
            metadata.path("namespace").asText(),
            metadata.path("name").asText());
    String template = Timeline.digest(Sanitizer.templates(sanitizer.workload(ref, object)));
    owners.seen(uid, ref, object, template);
    OwnerBook.Controller controller = OwnerBook.controller(object);
    if (controller == null || !owners.isRecorded(controller.ref())) {
      workloads.seen(uid, ref, object);
    }
  }

  void workloadGone(String uid, Instant now) {
    change(now);
    owners.gone(uid);
    workloads.gone(uid);
  }

  void pod(String uid, JsonNode object, Instant now) {
    change(now);
    pods.seen(uid, object);
  }

  void podGone(String uid, Instant now) {
    change(now);
    pods.gone(uid);
  }

  /** Takes over how long an image was pulled from an event with reason Pulled. */
  void event(JsonNode event) {
    JsonNode involved = event.path("involvedObject");
    PodState pod = pods.find(involved.path("uid").asText());
    Matcher container = CONTAINER.matcher(involved.path("fieldPath").asText());
    Long millis = pullMillis(event.path("message").asText());
    if (pod != null && millis != null && container.matches()) {
      pod.pulled(
          sanitizer.name(container.group(2)), container.group(1).equals("initContainers"), millis);
    }
  }

  /** Returns null for a message that does not say how long a pull took. */
  static @Nullable Long pullMillis(String message) {
    if (message.startsWith("Container image ") && message.contains(" already present on machine")) {
      return 0L;
    }
    Matcher pulled = PULLED.matcher(message);
    if (!pulled.matches()) {
      return null;
    }
    try {
      return GoDuration.parse(pulled.group(1)).toMillis();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Takes over what a pod uses, from one PodMetrics of metrics.k8s.io. */
  void usage(JsonNode podMetrics) {
    JsonNode metadata = podMetrics.path("metadata");
    PodState pod = pods.find(metadata.path("namespace").asText(), metadata.path("name").asText());
    if (pod != null) {
      long cpuMillis = 0;
      long memoryBytes = 0;
      for (JsonNode container : podMetrics.path("containers")) {
        cpuMillis += amount(container.path("usage").path("cpu"), true);
        memoryBytes += amount(container.path("usage").path("memory"), false);
      }
      pod.used(cpuMillis, memoryBytes);
    }
  }

  private static long amount(JsonNode quantity, boolean milli) {
    try {
      return milli
          ? Quantities.milli(quantity.asText("0"))
          : Quantities.units(quantity.asText("0"));
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  /**
   * Records a time that was not watched, or in which the API server did not answer.
   *
   * @param resource null for all
   */
  void gap(String cause, @Nullable String resource, Duration length, Instant now) {
    time.advance(now);
    long from = Math.max(0, time.now() - length.toMillis());
    time.emit(new Gap(time.now(), from, time.now(), cause, resource));
  }

  /** Writes pods that have changed since they were written. */
  void checkpoint(Instant now) {
    if (time.isLive()) {
      time.advance(now);
      pods.checkpoint();
    }
  }

  /** Writes what is left, and the end. */
  void end(Instant now) {
    time.advance(now);
    pods.end();
    time.emit(new RecordingEnded(time.now()));
  }

  /** Returns the offset of now. */
  long offset() {
    return time.now();
  }

  /** Changes of the cluster since the first lists. */
  long changes() {
    return changes;
  }

  int nodeCount() {
    return nodes.size();
  }

  int workloadCount() {
    return workloads.size();
  }

  int podCount() {
    return pods.size();
  }
}
