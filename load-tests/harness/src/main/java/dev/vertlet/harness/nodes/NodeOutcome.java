package dev.vertlet.harness.nodes;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Outcome of a plan.
 *
 * @param created names of the created nodes, sorted
 * @param deleted names of the deleted nodes, sorted
 * @param kept number of nodes that existed already and stay
 * @param failures reason by name for each node that was neither created nor deleted
 * @param invalid the API server's objection to the template; empty for none
 */
public record NodeOutcome(
    List<String> created,
    List<String> deleted,
    int kept,
    Map<String, String> failures,
    String invalid) {
  /** Sorts 2 before 10. */
  private static final Comparator<String> BY_NUMBER =
      Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());

  /** Collects an outcome. Not thread-safe. */
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

  /** Formats the outcome as one line of text. */
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
