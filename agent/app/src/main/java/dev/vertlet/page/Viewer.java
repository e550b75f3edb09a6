package dev.vertlet.page;

import io.vertx.core.http.HttpServerResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * One open page in a browser. It receives the sections that changed since its last update, and no
 * more than it reads. Confined to one context.
 */
final class Viewer {
  /** Bytes that may be queued for a slow reader. */
  static final int BUFFER_BYTES = 256 << 10;

  /** Seconds without any read after which the viewer is dropped. */
  static final int PATIENCE_SECONDS = 15;

  /** Seconds after which an empty update is sent: proxies close idle connections. */
  private static final int QUIET_SECONDS = 5;

  private final HttpServerResponse response;
  private final NodeQuery query;
  private final Map<String, String> sent = new HashMap<>();
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
   * Sends the changes; called once a second.
   *
   * @param sections current sections in JSON
   * @return false when the viewer is to be dropped
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
      if (!section.getValue().equals(sent.put(section.getKey(), section.getValue()))) {
        changed.add("\"" + section.getKey() + "\":" + section.getValue());
        news = true;
      }
    }
    quiet++;
    if (news || quiet >= QUIET_SECONDS) {
      quiet = 0;
      // one line: JSON contains no line breaks
      response.write("data: " + changed + "\n\n").onFailure(gone -> {});
    }
    return true;
  }

  void end() {
    response.reset();
  }
}
