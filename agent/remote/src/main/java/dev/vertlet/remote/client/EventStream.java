package dev.vertlet.remote.client;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** One connection to the event stream of the back end. Confined to one context. */
final class EventStream {
  static final String WHERE = "GET /v1/events";

  /** Receives what a stream brings, until it is closed. */
  interface Listener {
    /**
     * A line, heartbeats included.
     *
     * @throws RuntimeException for a line that makes no sense: the stream is {@link #broken}
     */
    void line(String type, JsonObject line);

    /** The stream broke the contract, and is closed. */
    void broken(String why);

    /** The connection has ended. */
    void ended(String why);
  }

  private final BackendClient.Opened opened;
  private final Listener listener;
  private final int longestLine;
  private boolean closed;

  private EventStream(BackendClient.Opened opened, int longestLine, Listener listener) {
    this.opened = opened;
    this.longestLine = longestLine;
    this.listener = listener;
  }

  /**
   * Opens the stream.
   *
   * @return paused until {@link #read}
   */
  static Future<EventStream> open(BackendClient client, String cursor, Listener listener) {
    Call call = Call.get("events", Paths.of("v1", "events").query("from", cursor).toString());
    int longestLine = client.settings().maxAnswerBytes();
    return client.open(call).map(opened -> new EventStream(opened, longestLine, listener));
  }

  /** Begins to read. */
  void read() {
    HttpClientResponse response = opened.response();
    LineSplitter lines = new LineSplitter(longestLine, this::line);
    response.handler(bytes -> feed(lines, bytes));
    response.exceptionHandler(cause -> ended(cause.getMessage()));
    response.endHandler(end -> ended(""));
    response.resume();
  }

  private void feed(LineSplitter lines, Buffer bytes) {
    if (closed) {
      return;
    }
    try {
      if (!lines.feed(bytes)) {
        broken("a line is longer than " + longestLine + " bytes");
      }
    } catch (ContractException e) {
      broken(WHERE + ": " + e.getMessage());
    } catch (RuntimeException e) {
      broken(String.valueOf(e.getMessage()));
    }
  }

  private void line(Buffer bytes) {
    if (!closed) {
      JsonObject line = Fields.document(bytes);
      listener.line(Fields.text(line, "type"), line);
    }
  }

  private void broken(String why) {
    close();
    listener.broken(why);
  }

  private void ended(@Nullable String why) {
    if (!closed) {
      closed = true;
      listener.ended(why == null ? "" : why);
    }
  }

  void close() {
    if (!closed) {
      closed = true;
      opened.close().run();
    }
  }
}
