package dev.vertlet.trace.simkube;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.resource.RequestTally;
import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.ContainerRun;
import dev.vertlet.trace.PodDemand;
import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodOutcome;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.WorkloadRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.value.Value;

/**
 * Lives of pods of a SimKube trace: by owner and by a hash of the pod's spec, in order of starts.
 */
final class SimkubePods {
  private final long first;
  private final Map<String, List<String>> templates;
  private final Map<WorkloadRef, JsonNode> specs = new HashMap<>();
  private int count;

  /**
   * @param first seconds since 1970 of offset 0
   * @param templates pointers of pod templates by {@code group/version.kind}
   */
  SimkubePods(long first, Map<String, List<String>> templates) {
    this.first = first;
    this.templates = templates;
  }

  /** Start and end in seconds since 1970. */
  private record Times(long start, @Nullable Long end) {}

  /** Remembers an owner's pod spec, for names and requests of containers. */
  void applied(JsonNode object) {
    String apiVersion = object.path("apiVersion").asText();
    String kind = object.path("kind").asText();
    List<String> paths = templates.getOrDefault(apiVersion + "." + kind, List.of());
    JsonNode spec =
        kind.equals("Pod") || paths.isEmpty()
            ? object.path("spec")
            : object.at(paths.get(0).replace("*", "0")).path("spec");
    JsonNode metadata = object.path("metadata");
    specs.put(
        new WorkloadRef(
            apiVersion, kind, metadata.path("namespace").asText(), metadata.path("name").asText()),
        spec);
  }

  List<PodLived> lives(@Nullable Value lifecycles) {
    List<PodLived> lives = new ArrayList<>();
    if (lifecycles == null) {
      return lives;
    }
    if (!lifecycles.isMapValue()) {
      throw new TraceException("field pod_lifecycles is no map, a map is required");
    }
    lifecycles
        .asMapValue()
        .map()
        .forEach((owner, byHash) -> lives.addAll(lives(owner(owner), byHash)));
    return lives;
  }

  private static WorkloadRef owner(Value key) {
    if (!key.isArrayValue() || key.asArrayValue().size() != 2) {
      throw new TraceException(
          "field pod_lifecycles has the key " + key + ", pairs of kind and name are allowed");
    }
    String gvk = SimkubeTrace.text(key.asArrayValue().get(0), "pod_lifecycles");
    String name = SimkubeTrace.text(key.asArrayValue().get(1), "pod_lifecycles");
    String kind = gvk.startsWith("/") ? gvk.substring(1) : gvk;
    int dot = kind.lastIndexOf('.');
    int slash = name.indexOf('/');
    if (dot < 1 || slash < 0) {
      throw new TraceException(
          "field pod_lifecycles has the key "
              + key
              + ", group/version.kind and namespace/name are allowed");
    }
    return new WorkloadRef(
        kind.substring(0, dot),
        kind.substring(dot + 1),
        name.substring(0, slash),
        name.substring(slash + 1));
  }

  private List<PodLived> lives(WorkloadRef owner, Value byHash) {
    if (!byHash.isMapValue()) {
      throw new TraceException(
          "field pod_lifecycles of " + owner + " is no map, a map is required");
    }
    List<List<Times>> byTemplate = new ArrayList<>();
    for (Value list : byHash.asMapValue().map().values()) {
      List<Times> times = new ArrayList<>();
      if (!list.isArrayValue()) {
        throw new TraceException("field pod_lifecycles of " + owner + " has no array of times");
      }
      for (Value each : list.asArrayValue()) {
        Times one = times(owner, each);
        if (one != null) {
          times.add(one);
        }
      }
      if (!times.isEmpty()) {
        byTemplate.add(times);
      }
    }
    byTemplate.sort(Comparator.comparingLong(times -> times.get(0).start()));
    List<PodLived> lives = new ArrayList<>();
    for (int template = 0; template < byTemplate.size(); template++) {
      for (Times times : byTemplate.get(template)) {
        lives.add(life(owner, template, times));
      }
    }
    return lives;
  }

  /** Returns null for a pod that never started. */
  private static @Nullable Times times(WorkloadRef owner, Value value) {
    if (value.isStringValue() && value.asStringValue().asString().equals("Empty")) {
      return null;
    }
    Value running = SimkubeTrace.get(value, "Running");
    if (running != null) {
      Value start = running.isArrayValue() ? at(running, 0) : running;
      return new Times(seconds(owner, start), null);
    }
    Value finished = SimkubeTrace.get(value, "Finished");
    if (finished != null) {
      return new Times(seconds(owner, at(finished, 0)), seconds(owner, at(finished, 1)));
    }
    Value start = SimkubeTrace.get(value, "start_ts");
    if (start != null) {
      Value end = SimkubeTrace.get(value, "end_ts");
      return new Times(seconds(owner, start), end == null ? null : (Long) seconds(owner, end));
    }
    throw new TraceException(
        "field pod_lifecycles of "
            + owner
            + " has "
            + value
            + ", Empty, Running or Finished is allowed");
  }

  private static @Nullable Value at(Value array, int index) {
    return array.isArrayValue() ? array.asArrayValue().getOrNilValue(index) : null;
  }

  private static long seconds(WorkloadRef owner, @Nullable Value value) {
    if (value == null || !value.isIntegerValue() || !value.asIntegerValue().isInLongRange()) {
      throw new TraceException(
          "field pod_lifecycles of " + owner + " has the time " + value + ", seconds are allowed");
    }
    return value.asIntegerValue().asLong();
  }

  private PodLived life(WorkloadRef owner, int template, Times times) {
    long start = (times.start() - first) * 1000;
    Long end = times.end() == null ? null : (Long) Math.max(start, (times.end() - first) * 1000);
    JsonNode spec = specs.get(owner);
    int number = count++;
    String name = owner.isBarePod() ? owner.name() : owner.name() + "-" + number;
    List<ContainerLife> containers = new ArrayList<>();
    PodDemand demand = new PodDemand(0, 0);
    if (spec != null) {
      for (JsonNode container : spec.path("containers")) {
        ContainerRun run = new ContainerRun(start, end, end == null ? null : 0, null);
        containers.add(
            new ContainerLife(container.path("name").asText(), false, 0, List.of(run), null));
      }
      demand = demand(owner, spec);
    }
    PodLife life =
        new PodLife(
            new PodIdentity("simkube-" + number, owner.namespace(), name, owner, template, null),
            null,
            new PodTimes(start, null, start, start, end, null, null),
            new PodOutcome(end == null ? "Running" : "Succeeded", null),
            containers,
            demand,
            null);
    return new PodLived(Math.max(0, end == null ? start : end), life);
  }

  private static PodDemand demand(WorkloadRef owner, JsonNode spec) {
    try {
      PodRequests requests = RequestTally.ofPod(spec);
      return new PodDemand(requests.milliCpu(), requests.memory());
    } catch (DecodeException e) {
      throw new TraceException(owner + " requests what is no quantity", e);
    }
  }
}
