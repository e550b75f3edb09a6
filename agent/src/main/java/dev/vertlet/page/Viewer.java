package dev.vertlet.page;

import io.vertx.core.http.HttpServerResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * One who looks: is told what changed since he was told last, never more than he takes. Confined to
 * one context.
 */
final class Viewer {
  /** What may wait for one who reads slowly. */
  static final int BUFFER_BYTES = 256 << 10;

  /** One who took nothing in so many seconds is not waited for. */
  static final int PATIENCE_SECONDS = 15;

  /** A sign of life, for those between us who close what is quiet. */
  private static final int QUIET_SECONDS = 5;

  private final HttpServerResponse response;
  private final NodeQuery query;
  private final Map<String, String> told = new HashMap<>();
  private int full;
  private int quiet;

  Viewer(HttpServerResponse response, NodeQuery query) {
    this.response = response.setWriteQueueMaxSize(BUFFER_BYTES);
    this.query = query;
  }

  NodeQuery query() {
    return query;
  }

  /**
   * A second has passed.
   *
   * @param sections as they are now, in JSON
   * @return false when it is not to be told any more
   */
  boolean tell(Map<String, String> sections, long now) {
    if (response.closed() || response.ended()) {
      return false;
    }
    if (response.writeQueueFull()) {
      full++;
      return full < PATIENCE_SECONDS;
    }
    full = 0;
    StringJoiner changed = new StringJoiner(",", "{", "}");
    changed.add("\"now\":" + now);
    boolean news = false;
    for (Map.Entry<String, String> section : sections.entrySet()) {
      if (!section.getValue().equals(told.put(section.getKey(), section.getValue()))) {
        changed.add("\"" + section.getKey() + "\":" + section.getValue());
        news = true;
      }
    }
    quiet++;
    if (news || quiet >= QUIET_SECONDS) {
      quiet = 0;
      // one line: JSON has none of its own
      response.write("data: " + changed + "\n\n").onFailure(gone -> {});
    }
    return true;
  }

  void end() {
    response.reset();
  }
}
