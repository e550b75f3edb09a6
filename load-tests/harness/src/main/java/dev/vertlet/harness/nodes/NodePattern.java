package dev.vertlet.harness.nodes;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.Variables;
import dev.vertlet.config.process.Environment;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.ManifestText;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Template of a set's nodes: a Node in whose texts <code>{i}</code> stands for the number of the
 * node, <code>{i/N}</code> and <code>{i%N}</code> for the quotient and the remainder of its
 * division by N, and <code>{node}</code> for the name. Immutable.
 */
public final class NodePattern {
  /** Placeholder for the number of a node, from 0, in its name. */
  static final String INDEX = "{i}";

  /** At most nine digits without a leading zero: no other text is the number of a node. */
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

  private static final Pattern PLACE = Pattern.compile("\\{i(?:([/%])([1-9][0-9]{0,8}))?}");

  /** Fields that an API server sets; removed, so that output of {@code kubectl get} is valid. */
  private static final Set<String> OF_THE_SERVER =
      Set.of(
          "uid",
          "resourceVersion",
          "creationTimestamp",
          "generation",
          "managedFields",
          "selfLink",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  private final JsonObject node;

  private NodePattern(JsonObject node) {
    this.node = node;
  }

  /**
   * Parses a Node.
   *
   * @param place origin of the text for messages: the file
   * @param text YAML or JSON
   * @throws ConfigException when the text is not exactly one object, or names unset variables
   */
  public static NodePattern read(String place, byte[] text, Environment environment) {
    JsonObject node;
    try {
      node = new JsonObject(ManifestText.object(text).toString());
    } catch (ManifestException e) {
      throw new ConfigException(Problem.about(place, String.valueOf(e.getMessage())));
    }
    Problems problems = new Problems(place + ": ");
    new Variables(environment::variable, problems).replaceIn(node);
    if (problems.isEmpty()) {
      NodeShape.check(node, problems);
    }
    problems.done(ConfigException::new);
    return new NodePattern(completed(node));
  }

  /** Adds the label and, from capacity, allocatable; removes the fields that servers set. */
  private static JsonObject completed(JsonObject node) {
    JsonObject metadata = node.getJsonObject("metadata");
    OF_THE_SERVER.forEach(metadata::remove);
    JsonObject labels = metadata.getJsonObject("labels", new JsonObject());
    metadata.put("labels", labels.put(NodeSet.LABEL, NodeSet.VALUE));
    JsonObject status = node.getJsonObject("status", new JsonObject());
    JsonObject capacity = status.getJsonObject("capacity");
    if (capacity != null && !status.containsKey("allocatable")) {
      status.put("allocatable", capacity.copy());
    }
    return node;
  }

  /**
   * Returns the template with other names.
   *
   * @param prefix prefix of the number in a node's name
   */
  public NodePattern named(String prefix) {
    JsonObject copy = node.copy();
    copy.getJsonObject("metadata").put("name", prefix + INDEX);
    return new NodePattern(copy);
  }

  /** The name with <code>{i}</code> in place of the number. */
  public String name() {
    return node.getJsonObject("metadata").getString("name");
  }

  /** Name of a node, from 0. */
  public String nameOf(int index) {
    return name().replace(INDEX, Integer.toString(index));
  }

  /** Number of the node with this name; empty when no number results in the name. */
  public OptionalInt indexOf(String nodeName) {
    int at = name().indexOf(INDEX);
    String before = name().substring(0, at);
    String after = name().substring(at + INDEX.length());
    if (nodeName.length() <= before.length() + after.length()
        || !nodeName.startsWith(before)
        || !nodeName.endsWith(after)) {
      return OptionalInt.empty();
    }
    String number = nodeName.substring(before.length(), nodeName.length() - after.length());
    return NUMBER.matcher(number).matches()
        ? OptionalInt.of(Integer.parseInt(number))
        : OptionalInt.empty();
  }

  /** Node object for a number. */
  public JsonObject node(int index) {
    String name = nameOf(index);
    return object(node, text -> fill(text, index, name));
  }

  /**
   * Checks the rules that need no API server.
   *
   * @param place as in {@link #read}
   * @param count number of nodes: the last one has the longest name
   * @throws ConfigException with every problem
   */
  public NodePattern require(String place, int count) {
    Problems problems = new Problems(place + ": ");
    new NodeCheck(node(0), problems).run();
    if (problems.isEmpty() && count > 1) {
      new NodeCheck(node(count - 1), problems).run();
    }
    problems.done(ConfigException::new);
    return this;
  }

  private static String fill(String text, int index, String name) {
    return PLACE
        .matcher(text.replace("{node}", name))
        .replaceAll(
            match -> {
              if (match.group(1) == null) {
                return Integer.toString(index);
              }
              int by = Integer.parseInt(match.group(2));
              return Integer.toString(match.group(1).equals("/") ? index / by : index % by);
            });
  }

  private static JsonObject object(JsonObject object, UnaryOperator<String> change) {
    JsonObject changed = new JsonObject();
    object.forEach(field -> changed.put(field.getKey(), value(field.getValue(), change)));
    return changed;
  }

  private static Object value(Object value, UnaryOperator<String> change) {
    if (value instanceof JsonObject object) {
      return object(object, change);
    }
    if (value instanceof JsonArray array) {
      JsonArray changed = new JsonArray();
      array.forEach(item -> changed.add(value(item, change)));
      return changed;
    }
    return value instanceof String text ? change.apply(text) : value;
  }
}
