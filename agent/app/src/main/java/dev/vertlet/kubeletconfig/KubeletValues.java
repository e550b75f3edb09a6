package dev.vertlet.kubeletconfig;

import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Values of a KubeletConfiguration.
 *
 * @param set values in the order of the fields, without values that mean absence
 * @param unknown paths that no kubelet knows
 * @param wrong values whose type is not their field's
 */
public record KubeletValues(
    Map<KubeletField, Object> set, List<List<String>> unknown, List<Problem> wrong) {
  /** Beginnings of the paths of fields: what stands there is an object. */
  private static final Set<List<String>> INNER = inner();

  /**
   * @param json without kind and apiVersion
   */
  public static KubeletValues read(JsonObject json) {
    Found found = new Found();
    found.collect(json, List.of());
    Map<KubeletField, Object> inOrder = new LinkedHashMap<>();
    for (KubeletField field : KubeletFields.all().values()) {
      Object value = found.values.get(field);
      if (value != null) {
        inOrder.put(field, value);
      }
    }
    return new KubeletValues(inOrder, found.unknown, found.wrong.list());
  }

  private static final class Found {
    private final Map<KubeletField, Object> values = new LinkedHashMap<>();
    private final List<List<String>> unknown = new ArrayList<>();
    private final Problems wrong = new Problems();

    void collect(JsonObject json, List<String> parent) {
      for (Map.Entry<String, Object> entry : json) {
        List<String> path = new ArrayList<>(parent);
        path.add(entry.getKey());
        Object value = entry.getValue();
        KubeletField field = KubeletFields.all().get(path);
        if (field == null && !INNER.contains(path)) {
          unknown.add(path);
        } else if (value == null) {
          continue; // treated as absent
        } else if (field != null) {
          leaf(field, value);
        } else if (value instanceof JsonObject object) {
          collect(object, path);
        } else {
          wrong.refuse(Pointers.of(path), value, "must be an object");
        }
      }
    }

    private void leaf(KubeletField field, Object value) {
      if (!field.type().fits(value)) {
        wrong.refuse(field.pointer(""), value, "must be " + field.type().allowed());
      } else if (!field.type().absent(value)) {
        values.put(field, value);
      }
    }
  }

  private static Set<List<String>> inner() {
    Set<List<String>> inner = new HashSet<>();
    for (List<String> path : KubeletFields.all().keySet()) {
      for (int length = 1; length < path.size(); length++) {
        inner.add(path.subList(0, length));
      }
    }
    return inner;
  }
}
