package dev.vertlet.stages.spec;

import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Text of a document, with the mistakes found in it so far.
 *
 * @param name path of a file, or the name of an object in the cluster
 * @param lines of the file; empty for an object of the cluster
 */
record DocumentSource(String name, List<String> lines, List<StageProblem> problems) {
  Location place(Node node) {
    return lines.isEmpty()
        ? Location.of(name)
        : node.getStartMark().map(mark -> Field.place(name, mark)).orElse(Location.of(name));
  }

  /**
   * Columns before the content of a block scalar.
   *
   * @param line of its indicator, from 1
   */
  int indentAfter(int line) {
    for (int i = line; i < lines.size() && line > 0; i++) {
      String text = lines.get(i);
      if (!text.isBlank()) {
        return text.length() - text.stripLeading().length();
      }
    }
    return 0;
  }
}
