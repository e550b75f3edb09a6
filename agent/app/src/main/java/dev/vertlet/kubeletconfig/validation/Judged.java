package dev.vertlet.kubeletconfig.validation;

import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.model.GoDuration;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Configuration under validation: its values and the rules that it breaks. */
final class Judged {
  private final Map<String, Object> values = new HashMap<>();
  private final FeatureGates gates;
  private final Problems broken = new Problems();

  /**
   * @param set values that have their fields' types
   */
  Judged(Map<KubeletField, Object> set, FeatureGates gates) {
    set.forEach((field, value) -> values.put(field.name(), value));
    this.gates = gates;
  }

  List<Problem> broken() {
    return broken.list();
  }

  boolean enabled(String gate) {
    return gates.enabled(gate);
  }

  boolean isSet(String field) {
    return values.containsKey(field);
  }

  @Nullable Number number(String field) {
    return values.get(field) instanceof Number number ? number : null;
  }

  long number(String field, long otherwise) {
    Number number = number(field);
    return number == null ? otherwise : number.longValue();
  }

  boolean flag(String field, boolean otherwise) {
    return values.get(field) instanceof Boolean flag ? flag : otherwise;
  }

  String text(String field, String otherwise) {
    return values.get(field) instanceof String text ? text : otherwise;
  }

  Duration time(String field, Duration otherwise) {
    return values.get(field) instanceof String text ? GoDuration.parse(text) : otherwise;
  }

  /** Returns a quantity as written; only for a set field. */
  String quantity(String field) {
    return String.valueOf(values.get(field));
  }

  /** Returns a list without null items. */
  List<Object> list(String field) {
    return values.get(field) instanceof JsonArray list
        ? list.stream().filter(item -> item != null).toList()
        : List.of();
  }

  /** Returns the objects of a list. */
  List<JsonObject> objects(String field) {
    return list(field).stream().map(JsonObject.class::cast).toList();
  }

  /** Returns the texts of an object, in the order of its keys. */
  Map<String, String> texts(String field) {
    Map<String, String> texts = new TreeMap<>();
    if (values.get(field) instanceof JsonObject object) {
      object.forEach(entry -> texts.put(entry.getKey(), String.valueOf(entry.getValue())));
    }
    return texts;
  }

  /** Checks a rule whose message starts like most of a kubelet's. */
  void require(boolean holds, String field, String problem) {
    if (!holds) {
      invalid(field, problem);
    }
  }

  /**
   * Checks a field against its allowed texts.
   *
   * @param otherwise its default
   * @param problem message with a placeholder for the quoted value
   */
  void oneOf(String field, String otherwise, Set<String> allowed, String problem) {
    String value = text(field, otherwise);
    require(allowed.contains(value), field, problem.formatted(GoText.quoted(value)));
  }

  /**
   * Reports a broken rule whose message starts like most of a kubelet's.
   *
   * @param below path inside the field's value
   */
  void invalid(String field, String problem, Object... below) {
    refuse(field, "invalid configuration: " + problem, below);
  }

  /**
   * Reports a broken rule.
   *
   * @param below path inside the field's value
   */
  void refuse(String field, String problem, Object... below) {
    List<String> path = new ArrayList<>(List.of(field.split("\\.")));
    for (Object token : below) {
      path.add(token.toString());
    }
    broken.about(Pointers.of(path), problem);
  }
}
