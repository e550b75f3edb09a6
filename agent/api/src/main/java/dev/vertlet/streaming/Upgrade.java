package dev.vertlet.streaming;

import dev.vertlet.streaming.session.Framing;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;

/** Result of an upgrade request. */
sealed interface Upgrade {
  /** Headers of the 101 response. */
  interface Granted {
    Map<String, String> headers();
  }

  /**
   * Channels in a WebSocket.
   *
   * @param protocol one of the offered protocols; empty when the client offered none
   */
  record Channels(String protocol, Map<String, String> headers) implements Upgrade, Granted {
    Framing framing() {
      return protocol.contains("base64") ? Framing.BASE64 : Framing.BINARY;
    }
  }

  /** SPDY in a WebSocket. */
  record Tunnel(Map<String, String> headers) implements Upgrade, Granted {}

  /**
   * SPDY/3.1.
   *
   * @param protocol protocol of its streams
   */
  record Spdy(String protocol, Map<String, String> headers) implements Upgrade, Granted {}

  /**
   * A regular response instead of an upgrade.
   *
   * @param headers names with all their values
   */
  record Refused(int status, String text, Map<String, List<String>> headers) implements Upgrade {
    /** A kubelet's response; it has status 500 although the request is at fault. */
    static final Refused NO_UPGRADE = new Refused(500, "Upgrade request required");

    Refused(int status, String text) {
      this(status, text, Map.of());
    }

    void answer(HttpServerRequest request) {
      request.resume();
      var response = request.response();
      if (response.closed() || response.ended()) {
        return;
      }
      headers.forEach((name, values) -> response.putHeader(name, values));
      response
          .setStatusCode(status)
          .putHeader("Content-Type", "text/plain; charset=utf-8")
          .putHeader("X-Content-Type-Options", "nosniff")
          .end(text + "\n");
    }
  }
}
