package dev.vertlet.config.document;

import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@code ${NAME}} and {@code ${NAME:-default}} in the strings of a document. {@code $${} is
 * a plain {@code ${}. Where the schema wants no text, a string that is one reference and nothing
 * else becomes the JSON value it stands for: {@code "count": "${NODES:-10}"}.
 */
public final class Variables {
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\$\\{|\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}|\\$\\{[^}]*}?");

  private final Function<String, @Nullable String> environment;
  private final Problems problems;

  /**
   * @param environment returns a variable's value; null for an unset variable
   * @param problems gets what is wrong with references that cannot be replaced
   */
  public Variables(Function<String, @Nullable String> environment, Problems problems) {
    this.environment = environment;
    this.problems = problems;
  }

  public void replaceIn(JsonObject document, ConfigSchema schema) {
    replaceObject(document, new ArrayList<>(), schema.root());
  }

  /** Replaces the references in a document without a schema: every value may be text. */
  public void replaceIn(JsonObject document) {
    replaceObject(document, new ArrayList<>(), null);
  }

  private void replaceObject(JsonObject object, List<String> path, @Nullable SchemaNode node) {
    for (String key : new ArrayList<>(object.fieldNames())) {
      path.add(key);
      Object value = object.getValue(key);
      if (value != null) {
        object.put(key, replace(value, path, node == null ? null : node.child(key)));
      }
      path.remove(path.size() - 1);
    }
  }

  private Object replace(Object value, List<String> path, @Nullable SchemaNode node) {
    if (value instanceof JsonObject object) {
      replaceObject(object, path, node);
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        path.add(Integer.toString(i));
        Object item = array.getValue(i);
        if (item != null) {
          array.set(i, replace(item, path, node == null ? null : node.items()));
        }
        path.remove(path.size() - 1);
      }
    } else if (value instanceof String text && text.contains("${")) {
      return replaceText(text, path, node);
    }
    return value;
  }

  private Object replaceText(String text, List<String> path, @Nullable SchemaNode node) {
    String replaced = expand(Pointers.of(path), text);
    Matcher whole = REFERENCE.matcher(text);
    boolean alone = whole.matches() && whole.group(1) != null;
    if (!alone || node == null || node.is("string")) {
      return replaced;
    }
    Object value = JsonText.orText(node, replaced);
    return value == null ? replaced : value;
  }

  /** The text with its references replaced; one that cannot be is kept and becomes a problem. */
  public String expand(String pointer, String text) {
    return REFERENCE
        .matcher(text)
        .replaceAll(
            m ->
                Matcher.quoteReplacement(
                    reference(pointer, text, m.group(), m.group(1), m.group(2))));
  }

  private String reference(
      String pointer,
      String text,
      String written,
      @Nullable String name,
      @Nullable String fallback) {
    if (written.equals("$${")) {
      return "${";
    }
    if (name == null) {
      problems.refuse(
          pointer,
          text,
          "must name variables as ${NAME} or ${NAME:-default}; $${ stands for ${ itself");
      return written;
    }
    String value = environment.apply(name);
    if (fallback != null) {
      return value == null || value.isEmpty() ? fallback : value;
    }
    if (value == null) {
      problems.refuse(
          pointer,
          text,
          "names the environment variable "
              + name
              + ", which is not set; set it, or write ${"
              + name
              + ":-default}");
      return written;
    }
    return value;
  }
}
