package dev.vertlet.harness.nodes;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of a plan.
 *
 * @param created names of the nodes that were made, sorted
 * @param deleted names of the nodes that were removed, sorted
 * @param kept how many were there already and stay
 * @param failures by name of the node, why it was neither made nor removed
 * @param invalid what the API server says of the template; empty when it says nothing
 */
public record NodeOutcome(
    List<String> created,
    List<String> deleted,
    int kept,
    Map<String, String> failures,
    String invalid) {
  /** So that 2 comes before 10. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());

  /** Collects it. Not thread-safe. */
  static final class Builder {
    private final List<String> created = new ArrayList<>();
    private final List<String> deleted = new ArrayList<>();
    private final Map<String, String> failures = new TreeMap<>(BY_NUMBER);
    private int kept;
    private String invalid = "";

    void created(String name) {
      created.add(name);
    }

    void deleted(String name) {
      deleted.add(name);
    }

    void kept(int count) {
      kept += count;
    }

    void keptOneMore() {
      kept++;
    }

    void failed(String name, String why) {
      failures.put(name, why);
    }

    void invalid(String why) {
      invalid = why;
    }

    NodeOutcome build() {
      created.sort(BY_NUMBER);
      deleted.sort(BY_NUMBER);
      return new NodeOutcome(
          List.copyOf(created), List.copyOf(deleted), kept, new TreeMap<>(failures), invalid);
    }
  }

  public boolean complete() {
    return failures.isEmpty();
  }

  /** One line for people. */
  public String summary() {
    return "%d nodes created, %d deleted, %d kept%s"
        .formatted(
            created.size(),
            deleted.size(),
            kept,
            failures.isEmpty() ? "" : ", %d failed".formatted(failures.size()));
  }

  public JsonObject json() {
    JsonArray failed = new JsonArray();
    failures.forEach(
        (name, why) -> failed.add(new JsonObject().put("name", name).put("error", why)));
    return new JsonObject()
        .put("created", new JsonArray(created))
        .put("deleted", new JsonArray(deleted))
        .put("kept", kept)
        .put("failed", failed);
  }
}
