package dev.vertlet.harness.nodes;

import dev.vertlet.config.ConfigException;
import dev.vertlet.config.Environment;
import dev.vertlet.config.TextVariables;
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
 * What the nodes of a set have in common: a Node in whose texts <code>{i}</code> stands for the
 * number of the node, <code>{i/N}</code> and <code>{i%N}</code> for the number divided by N and for
 * what that leaves, <code>{node}</code> for its name. Immutable.
 */
public final class NodePattern {
  /** The number of a node, from 0, in its name. */
  static final String INDEX = "{i}";

  /** Nine digits, none of them a leading zero: no other text is the number of a node. */
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,8}");

  private static final Pattern PLACE = Pattern.compile("\\{i(?:([/%])([1-9][0-9]{0,8}))?}");

  /** What an API server sets, so that what {@code kubectl get} writes is a template, too. */
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
   * Reads a Node.
   *
   * @param place what the text is, for messages: the file
   * @param text YAML or JSON
   * @throws ConfigException when it is no single object, or names variables that are not set
   */
  public static NodePattern read(String place, byte[] text, Environment environment) {
    JsonObject node;
    try {
      node = new JsonObject(ManifestText.object(text).toString());
    } catch (ManifestException e) {
      throw new ConfigException(Problem.about(place, String.valueOf(e.getMessage())));
    }
    Problems problems = new Problems(place + ": ");
    TextVariables.replaceIn(node, environment, problems);
    if (problems.isEmpty()) {
      NodeShape.check(node, problems);
    }
    problems.done(ConfigException::new);
    return new NodePattern(completed(node));
  }

  /** With the label, allocatable where it has capacity alone, and without what servers set. */
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
   * The same with other names.
   *
   * @param prefix what the number of a node follows
   */
  public NodePattern named(String prefix) {
    JsonObject copy = node.copy();
    copy.getJsonObject("metadata").put("name", prefix + INDEX);
    return new NodePattern(copy);
  }

  /** The name, with <code>{i}</code> for the number. */
  public String name() {
    return node.getJsonObject("metadata").getString("name");
  }

  /** Name of a node, from 0. */
  public String nameOf(int index) {
    return name().replace(INDEX, Integer.toString(index));
  }

  /** The number of the node of that name; empty when no number gives it. */
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

  /** The Node object of that number. */
  public JsonObject node(int index) {
    String name = nameOf(index);
    return object(node, text -> fill(text, index, name));
  }

  /**
   * Checks what can be judged without an API server.
   *
   * @param place as of {@link #read}
   * @param count how many nodes there will be: the last one has the longest name
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
