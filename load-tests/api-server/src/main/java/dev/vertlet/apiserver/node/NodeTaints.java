package dev.vertlet.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Conditions;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Taint;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The taints a node should have for its conditions and its {@code unschedulable}. */
final class NodeTaints {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

  /** Conditions that taint a node when they are True. */
  private static final Map<String, String> TROUBLES =
      Map.of(
          "MemoryPressure", "node.kubernetes.io/memory-pressure",
          "DiskPressure", "node.kubernetes.io/disk-pressure",
          "PIDPressure", "node.kubernetes.io/pid-pressure",
          "NetworkUnavailable", "node.kubernetes.io/network-unavailable");

  private static final Set<String> READINESS = Set.of(NOT_READY, UNREACHABLE);

  private NodeTaints() {}

  /** Whether a taint is this controller's to add and to remove. */
  private static boolean isManaged(Taint taint) {
    boolean readiness = READINESS.contains(taint.key());
    return taint.effect().equals(Taint.NO_EXECUTE)
        ? readiness
        : taint.effect().equals(Taint.NO_SCHEDULE)
            && (readiness
                || taint.key().equals(UNSCHEDULABLE)
                || TROUBLES.containsValue(taint.key()));
  }

  private static Set<Taint> wanted(JsonNode node) {
    Set<Taint> wanted = new LinkedHashSet<>();
    String ready = Conditions.value(node, "Ready");
    String key = ready.equals("False") ? NOT_READY : ready.equals("Unknown") ? UNREACHABLE : "";
    if (!key.isEmpty()) {
      wanted.add(new Taint(key, "", Taint.NO_SCHEDULE));
      wanted.add(new Taint(key, "", Taint.NO_EXECUTE));
    }
    TROUBLES.entrySet().stream()
        .filter(trouble -> Conditions.value(node, trouble.getKey()).equals("True"))
        .map(trouble -> new Taint(trouble.getValue(), "", Taint.NO_SCHEDULE))
        .forEach(wanted::add);
    if (Json.at(node, "spec", "unschedulable").asBoolean(false)) {
      wanted.add(new Taint(UNSCHEDULABLE, "", Taint.NO_SCHEDULE));
    }
    return wanted;
  }

  /** Whether the managed taints of a node are not those it should have. */
  static boolean needsChange(JsonNode node) {
    List<Taint> managed = Taint.allOf(node).stream().filter(NodeTaints::isManaged).toList();
    return !Set.copyOf(managed).equals(wanted(node));
  }

  /**
   * The taints as they should be: others stay as they are, new ones come last.
   *
   * @param now when they are added
   */
  static ArrayNode reconciled(JsonNode node, String now) {
    Set<Taint> missing = wanted(node);
    ArrayNode taints = Json.array();
    for (JsonNode written : Json.at(node, "spec", "taints")) {
      Taint taint = Taint.of(written);
      if (missing.remove(taint) || !isManaged(taint)) {
        taints.add(written);
      }
    }
    for (Taint taint : missing) {
      ObjectNode added = taints.addObject().put("key", taint.key()).put("effect", taint.effect());
      added.put("timeAdded", now);
    }
    return taints;
  }
}
