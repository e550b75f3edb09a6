package dev.vertlet.stages.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A field of a YAML document with its place. Reading a value of the wrong type records a problem
 * and returns the default, so that one pass finds all mistakes.
 */
final class Field {
  private final DocumentSource source;
  private final String path;
  private final @Nullable Node node;
  private final Location at;

  private Field(DocumentSource source, String path, @Nullable Node node, Location at) {
    this.source = source;
    this.path = path;
    this.node = node;
    this.at = at;
  }

  static Field root(DocumentSource source, Node node) {
    return new Field(source, "", node, source.place(node));
  }

  Location at() {
    return at;
  }

  String path() {
    return path;
  }

  /** Whether the field has a value other than null. */
  boolean isSet() {
    return node != null && !node.getTag().equals(Tag.NULL);
  }

  void refuse(String message) {
    source.problems().add(new StageProblem(at, path, message));
  }

  /** Field of this mapping; unset when there is none. */
  Field get(String key) {
    NodeTuple found = tuples().get(key);
    String place = path.isEmpty() ? key : path + "." + key;
    return found == null
        ? new Field(source, place, null, at)
        : new Field(source, place, found.getValueNode(), source.place(found.getValueNode()));
  }

  /** Refuses keys of this mapping that are not among these. */
  Field only(String... allowed) {
    Set<String> known = Set.of(allowed);
    tuples()
        .forEach(
            (key, tuple) -> {
              if (!known.contains(key)) {
                String place = path.isEmpty() ? key : path + "." + key;
                source
                    .problems()
                    .add(
                        new StageProblem(
                            source.place(tuple.getKeyNode()),
                            place,
                            "unknown field; allowed are "
                                + String.join(", ", new TreeSet<>(known))));
              }
            });
    return this;
  }

  private Map<String, NodeTuple> tuples() {
    Map<String, NodeTuple> tuples = new LinkedHashMap<>();
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key) {
          tuples.put(key.getValue(), tuple);
        }
      }
    } else if (isSet()) {
      refuse(shown() + " must be a mapping");
    }
    return tuples;
  }

  /** Elements of this sequence. */
  List<Field> items() {
    List<Field> items = new ArrayList<>();
    if (node instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        String place = path + "[" + items.size() + "]";
        items.add(new Field(source, place, item, source.place(item)));
      }
    } else if (isSet()) {
      refuse(shown() + " must be a list");
    }
    return items;
  }

  String text() {
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.STR)) {
      return scalar.getValue();
    }
    if (isSet()) {
      refuse(shown() + " must be a string");
    }
    return "";
  }

  /** A text that must be there and not be empty. */
  String required() {
    int before = source.problems().size();
    String text = text();
    if (text.isEmpty() && before == source.problems().size()) {
      refuse("must be set");
    }
    return text;
  }

  List<String> texts() {
    return items().stream().map(Field::text).toList();
  }

  Map<String, String> textMap() {
    Map<String, String> texts = new LinkedHashMap<>();
    tuples().keySet().forEach(key -> texts.put(key, get(key).text()));
    return texts;
  }

  boolean flag() {
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
      return scalar.getValue().equalsIgnoreCase("true");
    }
    if (isSet()) {
      refuse(shown() + " must be true or false");
    }
    return false;
  }

  /** A whole number from 0 up; null when it is not set. */
  @Nullable Long count() {
    if (!isSet()) {
      return null;
    }
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.INT)) {
      try {
        long value = Long.decode(scalar.getValue());
        if (value >= 0) {
          return value;
        }
      } catch (NumberFormatException e) {
        // refused below
      }
    }
    refuse(shown() + " must be a whole number from 0 up");
    return null;
  }

  /** One of the constants; null when it is not set or none of them. */
  <E extends Enum<E>> @Nullable E choice(
      List<E> allowed, java.util.function.Function<E, String> spelling) {
    if (!isSet()) {
      return null;
    }
    for (E each : allowed) {
      if (node instanceof ScalarNode scalar && spelling.apply(each).equals(scalar.getValue())) {
        return each;
      }
    }
    refuse(
        shown()
            + " must be one of "
            + allowed.stream().map(spelling).collect(Collectors.joining(", ")));
    return null;
  }

  /** An expression or template; must not be empty. */
  SourceText source() {
    String text = required();
    boolean block =
        node instanceof ScalarNode scalar && scalar.getScalarStyle() == ScalarStyle.LITERAL;
    boolean quoted =
        node instanceof ScalarNode scalar
            && (scalar.getScalarStyle() == ScalarStyle.SINGLE_QUOTED
                || scalar.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED);
    Location start =
        quoted && at.line() > 0 ? new Location(at.source(), at.line(), at.column() + 1) : at;
    return new SourceText(text, path, start, block ? source.indentAfter(at.line()) : -1);
  }

  private String shown() {
    if (!(node instanceof ScalarNode scalar)) {
      return node instanceof MappingNode ? "a mapping" : "a list";
    }
    String value = scalar.getValue();
    String brief = value.length() > 60 ? value.substring(0, 60) + "…" : value;
    return scalar.getTag().equals(Tag.STR) ? "\"" + brief + "\"" : brief;
  }

  /** Place of a mark. */
  static Location place(String file, Mark mark) {
    return new Location(file, mark.getLine() + 1, mark.getColumn() + 1);
  }
}
