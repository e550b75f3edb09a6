package dev.vertlet.stages.template;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Templates by name: the one that was parsed and those that it defines. */
final class Definitions {
  private final Map<String, Node.Block> byName = new HashMap<>();

  /** Adds a template unless both it and one of its name have content. */
  boolean add(String name, Node.Block block) {
    Node.Block present = byName.get(name);
    if (present == null || isEmpty(present)) {
      byName.put(name, block);
      return true;
    }
    return isEmpty(block);
  }

  Node.@Nullable Block find(String name) {
    return byName.get(name);
  }

  private static boolean isEmpty(Node.Block block) {
    return block.nodes().stream()
        .allMatch(node -> node instanceof Node.Text text && text.text().isBlank());
  }
}
