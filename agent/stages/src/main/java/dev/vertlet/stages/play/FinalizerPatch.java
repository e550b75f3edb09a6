package dev.vertlet.stages.play;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vertlet.stages.spec.Step;
import java.util.ArrayList;
import java.util.List;

/** Smallest JSON patch that changes an object's finalizers. */
final class FinalizerPatch {
  private static final String PATH = "/metadata/finalizers";

  private FinalizerPatch() {}

  /** Returns the operations; empty where nothing changes. */
  static ArrayNode of(JsonNode object, Step.Finalizers change) {
    List<String> present = new ArrayList<>();
    object.path("metadata").path("finalizers").forEach(f -> present.add(f.asText()));
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    List<Integer> removed = new ArrayList<>();
    for (int i = present.size() - 1; i >= 0; i--) {
      if (change.remove().contains(present.get(i))) {
        removed.add(i);
      }
    }
    boolean removes = !change.empty() && !change.remove().isEmpty();
    boolean all = change.empty() || removes && removed.size() == present.size();
    if (!all) {
      removed.forEach(i -> operations.addObject().put("op", "remove").put("path", PATH + "/" + i));
      add(operations, present, change.add());
      return operations;
    }
    if (!present.isEmpty()) {
      operations.addObject().put("op", "remove").put("path", PATH);
    }
    add(operations, List.of(), change.add());
    return operations;
  }

  private static void add(ArrayNode operations, List<String> present, List<String> added) {
    if (added.isEmpty()) {
      return;
    }
    if (present.isEmpty()) {
      ArrayNode values =
          operations.addObject().put("op", "add").put("path", PATH).putArray("value");
      added.forEach(values::add);
      return;
    }
    for (String finalizer : added) {
      if (!present.contains(finalizer)) {
        operations.addObject().put("op", "add").put("path", PATH + "/-").put("value", finalizer);
      }
    }
  }
}
