package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which changes of a pod's metadata and spec are allowed. */
public final class PodChangeRules {
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String FROZEN =
      "pod updates may not change fields other than"
          + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
          + " (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow"
          + " it to be set to 1 if it was previously negative)";
  private static final List<String> LISTS = List.of("containers", "initContainers");

  private PodChangeRules() {}

  /** Checks an update of the pod itself. */
  public static void updated(FieldValue next, FieldValue current) {
    boolean same = next.at("spec").json().equals(current.at("spec").json());
    if (!same) {
      PodRules.spec(next);
    } else {
      PodRules.mirror(next);
    }
    annotations(next, current);
    if (!same) {
      spec(next.at("spec"), current.at("spec"));
    }
  }

  /** A mirror pod stays one, and no other becomes one. */
  static void annotations(FieldValue next, FieldValue current) {
    FieldValue now = PodRules.mirrorOf(next);
    FieldValue then = PodRules.mirrorOf(current);
    if (now.json().equals(then.json())) {
      return;
    }
    now.forbidden(
        then.isPresent()
            ? "may not remove or update mirror pod annotation"
            : "may not add mirror pod annotation");
  }

  private static void spec(FieldValue next, FieldValue current) {
    for (String list : LISTS) {
      if (next.at(list).items().size() != current.at(list).items().size()) {
        next.at(list).forbidden("pod updates may not add or remove containers");
        return;
      }
    }
    if (!deadline(next.at("activeDeadlineSeconds"), current.at("activeDeadlineSeconds"))) {
      return;
    }
    tolerations(next.at("tolerations"), current.at("tolerations"));
    gates(next.at("schedulingGates"), current.at("schedulingGates"));
    ObjectNode thawed = thawed(next, current);
    if (!current.at("schedulingGates").isEmpty()) {
      gated(next, current, thawed);
    }
    if (!thawed.equals(current.json())) {
      next.forbidden(FROZEN + "\nchanged: " + String.join(", ", differences(thawed, current)));
    }
  }

  /** Names of the fields that are not the same. */
  private static Set<String> differences(ObjectNode next, FieldValue current) {
    Set<String> names = new TreeSet<>(current.keys());
    next.fieldNames().forEachRemaining(names::add);
    names.removeIf(name -> next.path(name).equals(current.json().path(name)));
    return names;
  }

  /** A deadline comes and gets shorter. Returns whether to look at more. */
  private static boolean deadline(FieldValue next, FieldValue current) {
    if (!next.isPresent()) {
      if (current.isPresent()) {
        next.invalid("null", "must not update from a positive integer to nil value");
      }
      return true;
    }
    if (next.number() < 0 || next.number() > Integer.MAX_VALUE) {
      next.between(0, Integer.MAX_VALUE);
      return false;
    } else if (current.isPresent() && current.number() < next.number()) {
      next.invalid("must be less than or equal to previous value");
      return false;
    }
    return true;
  }

  private static void tolerations(FieldValue next, FieldValue current) {
    Set<JsonNode> kept = new HashSet<>();
    next.json().forEach(toleration -> kept.add(withoutSeconds(toleration)));
    for (JsonNode old : current.json()) {
      if (!kept.contains(withoutSeconds(old))) {
        next.forbidden("existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
  }

  private static JsonNode withoutSeconds(JsonNode toleration) {
    if (!toleration.has("tolerationSeconds")) {
      return toleration;
    }
    ObjectNode rest = toleration.deepCopy();
    rest.remove("tolerationSeconds");
    return rest;
  }

  private static void gates(FieldValue next, FieldValue current) {
    Set<String> old = new HashSet<>();
    current.json().forEach(gate -> old.add(gate.path("name").asText()));
    for (FieldValue gate : next.items()) {
      String name = gate.at("name").text();
      if (!old.contains(name)) {
        gate.at("name")
            .forbidden(
                "only deletion is allowed, but found new scheduling gate '%s'".formatted(name));
      }
    }
  }

  /** The new spec with everything that may change as it was. */
  private static ObjectNode thawed(FieldValue next, FieldValue current) {
    ObjectNode spec = next.json().deepCopy();
    ObjectNode old = (ObjectNode) current.json();
    for (String list : LISTS) {
      for (int i = 0; i < spec.path(list).size(); i++) {
        if (spec.path(list).get(i) instanceof ObjectNode container
            && old.path(list).get(i) instanceof ObjectNode before) {
          Json.copyField(before, container, "image");
        }
      }
    }
    for (String field : List.of("activeDeadlineSeconds", "tolerations", "schedulingGates")) {
      Json.copyField(old, spec, field);
    }
    if (old.path("terminationGracePeriodSeconds").asLong() < 0
        && spec.path("terminationGracePeriodSeconds").asLong() == 1) {
      Json.copyField(old, spec, "terminationGracePeriodSeconds");
    }
    return spec;
  }

  /** As long as nobody schedules a pod, where it may run can be narrowed. */
  private static void gated(FieldValue next, FieldValue current, ObjectNode thawed) {
    ObjectNode old = (ObjectNode) current.json();
    FieldValue selector = next.at("nodeSelector");
    for (String key : current.at("nodeSelector").keys()) {
      if (!selector.json().path(key).equals(old.path("nodeSelector").path(key))) {
        selector.invalid(
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        break;
      }
    }
    Json.copyField(old, thawed, "nodeSelector");
    nodeAffinity(next.at("affinity", "nodeAffinity"), current.at("affinity", "nodeAffinity"));
    if (thawed.get("affinity") instanceof ObjectNode affinity) {
      Json.copyField(Json.view(old, "affinity"), affinity, "nodeAffinity");
      if (affinity.isEmpty() && !old.has("affinity")) {
        thawed.remove("affinity");
      }
    } else if (old.path("affinity").has("nodeAffinity")) {
      Json.copyField(Json.view(old, "affinity"), Json.child(thawed, "affinity"), "nodeAffinity");
    }
  }

  private static void nodeAffinity(FieldValue next, FieldValue current) {
    FieldValue terms = next.at(REQUIRED, "nodeSelectorTerms");
    List<FieldValue> old = current.at(REQUIRED, "nodeSelectorTerms").items();
    if (!old.isEmpty() && old.size() != terms.items().size()) {
      terms.invalid(
          shown(terms.json()),
          "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < old.size(); i++) {
      if (!adds(terms.item(i), old.get(i))) {
        terms
            .item(i)
            .invalid(
                term(terms.item(i).json()).toString(),
                "only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static String shown(JsonNode terms) {
    var list = Json.array();
    terms.forEach(term -> list.add(term(term)));
    return list.toString();
  }

  private static ObjectNode term(JsonNode term) {
    ObjectNode shown = GoText.struct(term, "MatchExpressions?", "MatchFields?");
    for (String list : List.of("MatchExpressions", "MatchFields")) {
      if (shown.path(list).isArray()) {
        shown.set(list, GoText.structs(shown.path(list), "Key", "Operator", "Values?"));
      }
    }
    return shown;
  }

  /** Whether a term begins with all that the old one had. */
  private static boolean adds(FieldValue term, FieldValue old) {
    boolean empty = old.at("matchExpressions").isEmpty() && old.at("matchFields").isEmpty();
    for (String list : List.of("matchExpressions", "matchFields")) {
      List<FieldValue> before = old.at(list).items();
      List<FieldValue> now = term.at(list).items();
      if (empty ? !now.isEmpty() : now.size() < before.size()) {
        return false;
      }
      for (int i = 0; i < before.size(); i++) {
        if (!now.get(i).json().equals(before.get(i).json())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Debug containers only ever come. */
  public static void ephemeralContainers(FieldValue next, FieldValue current) {
    if (((ObjectNode) current.at("metadata").json()).path("annotations").has(MIRROR)) {
      next.causes().forbidden("[]", "static pods do not support ephemeral containers");
      return;
    }
    PodRules.spec(next);
    annotations(next, current);
    FieldValue list = next.at("spec", "ephemeralContainers");
    Map<String, JsonNode> after = new HashMap<>();
    list.json().forEach(one -> after.put(one.path("name").asText(), one));
    for (JsonNode old : current.at("spec", "ephemeralContainers").json()) {
      String name = old.path("name").asText();
      if (!after.containsKey(name)) {
        list.forbidden("existing ephemeral containers \"%s\" may not be removed\n".formatted(name));
      } else if (!old.equals(after.get(name))) {
        list.forbidden("existing ephemeral containers \"%s\" may not be changed\n".formatted(name));
      }
    }
  }

  /** Whether the pod is a kubelet's own, which the API does not change. */
  public static boolean isMirror(FieldValue pod) {
    return PodRules.mirrorOf(pod).isPresent();
  }

  /** Checks the spec that a resize makes. */
  public static void resized(FieldValue next, FieldValue current) {
    if (!next.at("spec").json().equals(current.at("spec").json())) {
      PodRules.spec(next);
    }
  }
}
