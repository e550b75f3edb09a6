package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.resource.RequestTally;
import dev.vertlet.trace.PodDemand;
import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodOutcome;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.record.sanitize.Sanitizer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one living pod: about 1 kB. Names are those of the trace. The first time that
 * something was seen holds.
 */
final class PodState {
  final String id;
  final String namespace;
  final String name;

  /** Null while the owner is looked for. */
  @Nullable PodIdentity identity;

  /** The owner that is looked for; null for a bare pod and once it was found. */
  OwnerBook.@Nullable Controller controller;

  String templateLabel = "";
  @Nullable Integer index;

  /** Whether the last record in the trace is out of date. */
  boolean dirty = true;

  private final List<ContainerState> containers = new ArrayList<>(1);
  private @Nullable String node;
  private long created;
  private @Nullable Long scheduled;
  private @Nullable Long started;
  private @Nullable Long ready;
  private @Nullable Long ended;
  private @Nullable Long deleting;
  private @Nullable Long gone;
  private String phase = "Pending";
  private @Nullable String reason;
  private @Nullable PodDemand demand;
  private final UsageTally usage;

  PodState(String id, String namespace, String name) {
    this(id, namespace, name, new UsageTally());
  }

  private PodState(String id, String namespace, String name, UsageTally usage) {
    this.id = id;
    this.namespace = namespace;
    this.name = name;
    this.usage = usage;
  }

  static PodState restored(PodLife life) {
    PodIdentity identity = life.identity();
    PodState state =
        new PodState(
            identity.id(),
            identity.namespace(),
            identity.name(),
            UsageTally.restored(life.usage()));
    state.identity = identity;
    state.index = identity.index();
    state.node = life.node();
    PodTimes times = life.times();
    state.created = times.created();
    state.scheduled = times.scheduled();
    state.started = times.started();
    state.ready = times.ready();
    state.ended = times.ended();
    state.deleting = times.deleting();
    state.phase = life.outcome().phase();
    state.reason = life.outcome().reason();
    state.demand = life.demand();
    life.containers().forEach(each -> state.containers.add(ContainerState.restored(each)));
    state.dirty = false;
    return state;
  }

  /** How much a change matters. */
  enum Change {
    NONE,
    /** Written with the next checkpoint. */
    SOME,
    /** Written at once: the pod became ready, or ended. */
    MILESTONE
  }

  /** Takes over what the API server says of the pod. */
  Change observed(JsonNode pod, Sanitizer names, Timeline time) {
    PodTimes before = times();
    JsonNode spec = pod.path("spec");
    JsonNode status = pod.path("status");
    if (demand == null) {
      created = time.better(Stamps.of(pod.path("metadata").path("creationTimestamp")));
    }
    boolean changed = resources(spec);
    if (node == null && spec.path("nodeName").isTextual()) {
      node = names.name(spec.path("nodeName").textValue());
      scheduled = time.better(since(status, "PodScheduled"));
      changed = true;
    }
    changed |=
        containers(
            spec.path("initContainers"), status.path("initContainerStatuses"), true, names, time);
    changed |=
        containers(spec.path("containers"), status.path("containerStatuses"), false, names, time);
    changed |= phase(status, time);
    if (ready == null && isTrue(status, "Ready")) {
      ready = atLeast(started, time.better(since(status, "Ready")));
    }
    Instant deletion = Stamps.of(pod.path("metadata").path("deletionTimestamp"));
    if (deleting == null && deletion != null) {
      long grace = pod.path("metadata").path("deletionGracePeriodSeconds").asLong();
      deleting = time.better(deletion.minusSeconds(grace));
    }
    PodTimes after = times();
    changed |= !before.equals(after);
    dirty |= changed;
    boolean milestone =
        before.ready() == null && ready != null || before.ended() == null && ended != null;
    return milestone ? Change.MILESTONE : changed ? Change.SOME : Change.NONE;
  }

  /** Requests change when a pod is resized. */
  private boolean resources(JsonNode spec) {
    PodDemand next;
    try {
      PodRequests requests = RequestTally.ofPod(spec);
      next = new PodDemand(requests.milliCpu(), requests.memory());
    } catch (DecodeException e) {
      // of a kind of API server that does not check quantities
      next = new PodDemand(0, 0);
    }
    boolean changed = !next.equals(demand);
    demand = next;
    return changed;
  }

  private boolean containers(
      JsonNode specs, JsonNode statuses, boolean init, Sanitizer names, Timeline time) {
    boolean changed = false;
    for (JsonNode spec : specs) {
      changed |= container(names.name(spec.path("name").asText()), init) == null;
    }
    for (JsonNode status : statuses) {
      ContainerState container = container(names.name(status.path("name").asText()), init);
      if (container != null) {
        changed |= container.observed(status, time);
      }
    }
    return changed;
  }

  /** Returns the container; adds it and returns null if it was not known. */
  private @Nullable ContainerState container(String of, boolean init) {
    for (ContainerState container : containers) {
      if (container.name.equals(of) && container.init == init) {
        return container;
      }
    }
    containers.add(new ContainerState(of, init));
    return null;
  }

  private boolean phase(JsonNode status, Timeline time) {
    String next = status.path("phase").asText("Pending");
    String why = status.path("reason").isTextual() ? status.path("reason").textValue() : null;
    boolean changed = !next.equals(phase) || why != null && !why.equals(reason);
    phase = next;
    reason = why == null ? reason : why;
    if (started == null && !next.equals("Pending")) {
      started = firstStart();
      if (started == null && next.equals("Running")) {
        started = time.now();
      }
    }
    if (ended == null && (next.equals("Succeeded") || next.equals("Failed"))) {
      Long last = lastEnd();
      ended = atLeast(started, last == null ? time.now() : last);
    }
    return changed;
  }

  private @Nullable Long firstStart() {
    Long first = null;
    for (ContainerState container : containers) {
      Long start = container.init ? null : container.firstStart();
      if (start != null && (first == null || start < first)) {
        first = start;
      }
    }
    return first;
  }

  private @Nullable Long lastEnd() {
    Long last = null;
    for (ContainerState container : containers) {
      Long end = container.lastEnd();
      if (end != null && (last == null || end > last)) {
        last = end;
      }
    }
    return last;
  }

  private static long atLeast(@Nullable Long earliest, long time) {
    return earliest == null ? time : Math.max(earliest, time);
  }

  private static @Nullable Instant since(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return Stamps.of(condition.path("lastTransitionTime"));
      }
    }
    return null;
  }

  private static boolean isTrue(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /**
   * Takes over how long an image was pulled.
   *
   * @param container name in the trace
   */
  void pulled(String container, boolean init, long millis) {
    for (ContainerState each : containers) {
      if (each.name.equals(container) && each.init == init) {
        dirty |= each.pulled(millis);
      }
    }
  }

  /** Adds one answer of metrics.k8s.io; written with the next record of the pod. */
  void used(long cpuMillis, long memoryBytes) {
    usage.add(cpuMillis, memoryBytes);
  }

  void gone(long at) {
    gone = at;
    dirty = true;
  }

  boolean hasUsage() {
    return usage.added();
  }

  private PodTimes times() {
    return new PodTimes(created, scheduled, started, ready, ended, deleting, gone);
  }

  /** Returns the record of now. */
  PodLife life(PodIdentity of) {
    PodDemand asked = demand;
    dirty = false;
    usage.written();
    return new PodLife(
        of,
        node,
        times(),
        new PodOutcome(phase, reason),
        containers.stream().map(ContainerState::life).toList(),
        asked == null ? new PodDemand(0, 0) : asked,
        usage.usage());
  }
}
