package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code kubectl get pods} tells of a pod, by the rules of {@code printPod} in {@code
 * k8s.io/kubernetes/pkg/printers/internalversion/printers.go}.
 *
 * @param reason the STATUS column
 * @param ready containers that are ready, sidecars included
 * @param total containers, sidecars included
 * @param lastRestart when a container last ended, if one has restarted
 */
record PodSummary(
    String reason, int ready, int total, int restarts, Optional<Instant> lastRestart) {

  static PodSummary of(ObjectNode pod) {
    return new Reading(pod).summary();
  }

  static boolean hasCondition(ObjectNode pod, String type) {
    for (JsonNode condition : Json.at(pod, "status", "conditions")) {
      if (Json.text(condition, "type").equals(type)) {
        return Json.text(condition, "status").equals("True");
      }
    }
    return false;
  }

  /** Restarts of some containers and when the last of them was. */
  private static final class Restarts {
    private int count;
    private @Nullable Instant last;

    void add(JsonNode container) {
      count += container.path("restartCount").asInt(0);
      Ages.instant(Json.at(container, "lastState", "terminated", "finishedAt"))
          .ifPresent(
              ended -> {
                Instant known = last;
                last = known == null || known.isBefore(ended) ? ended : known;
              });
    }
  }

  /** One pass over a pod. */
  private static final class Reading {
    private final ObjectNode pod;
    private final JsonNode status;
    private final Set<String> sidecars = new HashSet<>();
    private Restarts restarts = new Restarts();
    private String reason;
    private int ready;

    Reading(ObjectNode pod) {
      this.pod = pod;
      this.status = pod.path("status");
      String phase = Json.text(status, "phase");
      String given = Json.text(status, "reason");
      this.reason = given.isEmpty() ? phase : given;
    }

    PodSummary summary() {
      for (JsonNode condition : status.path("conditions")) {
        if (Json.text(condition, "type").equals("PodScheduled")
            && Json.text(condition, "reason").equals("SchedulingGated")) {
          reason = "SchedulingGated";
        }
      }
      JsonNode initContainers = Json.at(pod, "spec", "initContainers");
      for (JsonNode container : initContainers) {
        if (Json.text(container, "restartPolicy").equals("Always")) {
          sidecars.add(Json.text(container, "name"));
        }
      }
      Restarts ofSidecars = new Restarts();
      boolean initializing = readInit(initContainers.size(), ofSidecars);
      if (!initializing || hasCondition(pod, "Initialized")) {
        restarts = ofSidecars;
        readContainers();
      }
      readDeletion();
      int total = Json.at(pod, "spec", "containers").size() + sidecars.size();
      return new PodSummary(
          reason, ready, total, restarts.count, Optional.ofNullable(restarts.last));
    }

    /** Whether an init container still has something to do, which then is the reason. */
    private boolean readInit(int containers, Restarts ofSidecars) {
      int position = 0;
      for (JsonNode container : status.path("initContainerStatuses")) {
        restarts.add(container);
        boolean sidecar = sidecars.contains(Json.text(container, "name"));
        if (sidecar) {
          ofSidecars.add(container);
        }
        JsonNode terminated = Json.at(container, "state", "terminated");
        boolean succeeded = terminated.isObject() && terminated.path("exitCode").asInt(0) == 0;
        boolean started = sidecar && container.path("started").asBoolean(false);
        if (!succeeded && !started) {
          reason = "Init:" + initReason(container, position, containers);
          return true;
        }
        ready += !succeeded && container.path("ready").asBoolean(false) ? 1 : 0;
        position++;
      }
      return false;
    }

    private static String initReason(JsonNode container, int position, int containers) {
      JsonNode terminated = Json.at(container, "state", "terminated");
      if (terminated.isObject()) {
        return endReason(terminated);
      }
      String waiting = Json.text(container, "state", "waiting", "reason");
      return waiting.isEmpty() || waiting.equals("PodInitializing")
          ? position + "/" + containers
          : waiting;
    }

    private static String endReason(JsonNode terminated) {
      String reason = Json.text(terminated, "reason");
      int signal = terminated.path("signal").asInt(0);
      if (!reason.isEmpty()) {
        return reason;
      }
      return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.path("exitCode").asInt(0);
    }

    /** The first container with something to tell has the last word. */
    private void readContainers() {
      boolean running = false;
      String failure = "";
      JsonNode containers = status.path("containerStatuses");
      for (int i = containers.size() - 1; i >= 0; i--) {
        JsonNode container = containers.path(i);
        restarts.add(container);
        JsonNode state = container.path("state");
        String waiting = Json.text(state, "waiting", "reason");
        if (!waiting.isEmpty()) {
          reason = waiting;
        } else if (state.path("terminated").isObject()) {
          reason = endReason(state.path("terminated"));
          if (Json.at(state, "terminated", "exitCode").asInt(0) != 0) {
            failure = reason;
          }
        } else if (container.path("ready").asBoolean(false) && state.path("running").isObject()) {
          running = true;
          ready++;
        }
      }
      if (reason.equals("Completed")) {
        reason = completed(running, failure);
      }
    }

    /** A container that is done says nothing of the others. */
    private String completed(boolean running, String failure) {
      if (running && hasCondition(pod, "Ready")) {
        return "Running";
      } else if (!failure.isEmpty()) {
        return failure;
      }
      return running ? "NotReady" : "Completed";
    }

    private void readDeletion() {
      if (!pod.path("metadata").has("deletionTimestamp")) {
        return;
      }
      String phase = Json.text(status, "phase");
      if (Json.text(status, "reason").equals("NodeLost")) {
        reason = "Unknown";
      } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
        reason = "Terminating";
      }
    }
  }
}
