package dev.vertlet.apiserver.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.Quantities;
import dev.vertlet.apiserver.control.Taint;
import dev.vertlet.apiserver.scheduler.Requirements.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the scheduler knows of one node: what it offers and what is taken. Pods may be assigned to a
 * node that does not exist (yet), so an entry can lack the node.
 */
final class NodeEntry {
  private static final Taint CORDON =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

  private final String name;
  private boolean exists;
  private JsonNode labels = MissingNode.getInstance();
  private JsonNode taintsAsWritten = MissingNode.getInstance();
  private JsonNode allocatableAsWritten = MissingNode.getInstance();
  private List<Taint> taints = List.of();
  private Map<String, Long> allocatable = Map.of();
  private boolean cordoned;
  private long capacity;
  private final Map<String, Long> used = new HashMap<>();
  private int pods;

  NodeEntry(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean exists() {
    return exists;
  }

  int pods() {
    return pods;
  }

  /** Whether a node says anything new that matters here; most updates are heartbeats. */
  boolean differsFrom(JsonNode node) {
    return !exists
        || cordoned != Json.at(node, "spec", "unschedulable").asBoolean(false)
        || !labels.equals(Json.at(node, "metadata", "labels"))
        || !taintsAsWritten.equals(Json.at(node, "spec", "taints"))
        || !allocatableAsWritten.equals(Json.at(node, "status", "allocatable"));
  }

  /** Takes over what a node says. */
  void update(JsonNode node) {
    exists = true;
    cordoned = Json.at(node, "spec", "unschedulable").asBoolean(false);
    labels = Json.at(node, "metadata", "labels");
    taintsAsWritten = Json.at(node, "spec", "taints");
    allocatableAsWritten = Json.at(node, "status", "allocatable");
    taints = Taint.allOf(node);
    allocatable = Demand.amounts(allocatableAsWritten);
    capacity = Quantities.value(allocatableAsWritten.path("pods"));
  }

  void gone() {
    exists = false;
  }

  void take(Demand demand) {
    pods++;
    demand.amounts().forEach((resource, amount) -> used.merge(resource, amount, Long::sum));
  }

  void release(Demand demand) {
    pods--;
    demand.amounts().forEach((resource, amount) -> used.merge(resource, -amount, Long::sum));
  }

  /** Whether nothing refers to this entry any more. */
  boolean isVoid() {
    return !exists && pods == 0;
  }

  /** Filters that do not depend on other pods, in the order of the real scheduler. */
  Optional<Rejection> check(Shape shape) {
    if (cordoned && !CORDON.isToleratedByAny(shape.tolerations())) {
      return Optional.of(Rejection.UNSCHEDULABLE);
    }
    for (Taint taint : taints) {
      if (taint.keepsPodsOff() && !taint.isToleratedByAny(shape.tolerations())) {
        return Optional.of(Rejection.TAINTED);
      }
    }
    for (var wanted : shape.selector().properties()) {
      if (!labels.path(wanted.getKey()).equals(wanted.getValue())) {
        return Optional.of(Rejection.AFFINITY);
      }
    }
    return NodeAffinity.matches(shape.affinity(), name, labels)
        ? Optional.empty()
        : Optional.of(Rejection.AFFINITY);
  }

  /** Whether one more pod with this demand has room. */
  boolean hasRoomFor(Demand demand) {
    if (pods >= capacity) {
      return false;
    }
    for (var wanted : demand.amounts().entrySet()) {
      if (wanted.getValue() > free(wanted.getKey())) {
        return false;
      }
    }
    return true;
  }

  private long free(String resource) {
    return allocatable.getOrDefault(resource, 0L) - used.getOrDefault(resource, 0L);
  }

  /** Why there is no room. */
  Rejection shortage(Demand demand) {
    List<String> reasons = new ArrayList<>();
    boolean resolvable = true;
    if (pods >= capacity) {
      reasons.add("Too many pods");
    }
    for (var wanted : demand.amounts().entrySet()) {
      if (wanted.getValue() > free(wanted.getKey())) {
        reasons.add("Insufficient " + wanted.getKey());
        resolvable &= wanted.getValue() <= allocatable.getOrDefault(wanted.getKey(), 0L);
      }
    }
    return new Rejection(reasons, resolvable);
  }
}
