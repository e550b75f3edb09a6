package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The jq queries that most selectors have, evaluated without the library, which takes ten times as
 * long: fields, elements, and at most one filter that compares a field with a string.
 */
final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.([A-Za-z_][A-Za-z0-9_]*)" // .a
              + "|\\.?\\[\"([^\"\\\\]*)\"\\]" // ["a"]
              + "|\\.?\\[\\s*\\]"); // []

  private static final Pattern SELECTED =
      Pattern.compile(
          "(.*)\\|\\s*select\\(\\s*(\\.[\\w.]+)\\s*==\\s*\"([^\"\\\\]*)\"\\s*\\)\\s*(?:\\|\\s*(.*))?",
          Pattern.DOTALL);

  /** Elements of an array or values of an object. */
  private static final String EACH = "[]";

  private final List<String> steps;
  private final @Nullable Filter filter;

  private record Filter(List<String> field, String value, List<String> rest) {}

  private JsonPath(List<String> steps, @Nullable Filter filter) {
    this.steps = steps;
    this.filter = filter;
  }

  /** Returns null for any other query. */
  static @Nullable JsonPath of(String query) {
    Matcher selected = SELECTED.matcher(query.strip());
    if (!selected.matches()) {
      List<String> steps = steps(query.strip());
      return steps == null ? null : new JsonPath(steps, null);
    }
    String behind = selected.group(4);
    List<String> before = steps(selected.group(1).strip());
    List<String> field = steps(selected.group(2));
    List<String> rest = behind == null ? List.of() : steps(behind.strip());
    return before == null || field == null || rest == null
        ? null
        : new JsonPath(before, new Filter(field, selected.group(3), rest));
  }

  private static @Nullable List<String> steps(String path) {
    List<String> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(path);
    int end = 0;
    while (matcher.find()) {
      // a path begins with a dot: ["a"] alone is an array
      if (matcher.start() != end || end == 0 && path.charAt(0) != '.') {
        return null;
      }
      end = matcher.end();
      String key = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      steps.add(key == null ? EACH : "." + key);
    }
    return end == path.length() && end > 0 ? steps : null;
  }

  /** As {@link JqQuery#apply}. */
  @Nullable List<JsonNode> apply(JsonNode input) {
    List<JsonNode> results = new ArrayList<>(1);
    boolean worked =
        filter == null ? walk(input, steps, 0, results) : filtered(input, filter, results);
    return worked ? results : null;
  }

  private boolean filtered(JsonNode input, Filter by, List<JsonNode> results) {
    List<JsonNode> candidates = new ArrayList<>();
    if (!walk(input, steps, 0, candidates)) {
      return false;
    }
    for (JsonNode candidate : candidates) {
      List<JsonNode> field = new ArrayList<>(1);
      if (!walk(candidate, by.field(), 0, field)) {
        return false;
      }
      boolean equal = !field.isEmpty() && by.value().equals(field.get(0).textValue());
      if (equal && !walk(candidate, by.rest(), 0, results)) {
        return false;
      }
    }
    return true;
  }

  /** Returns false where jq ends with an error. */
  private static boolean walk(JsonNode node, List<String> steps, int from, List<JsonNode> results) {
    JsonNode current = node;
    for (int i = from; i < steps.size(); i++) {
      String step = steps.get(i);
      boolean absent = current == null || current.isNull() || current.isMissingNode();
      if (step.equals(EACH)) {
        if (absent || !current.isContainerNode()) {
          return false;
        }
        for (JsonNode element : current) {
          if (!walk(element, steps, i + 1, results)) {
            return false;
          }
        }
        return true;
      }
      if (!absent) {
        if (!current.isObject()) {
          return false;
        }
        current = current.path(step.substring(1));
      }
    }
    if (current != null && !current.isNull() && !current.isMissingNode()) {
      results.add(current);
    }
    return true;
  }
}
