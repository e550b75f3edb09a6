package dev.vertlet.apiserver.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.apiserver.api.ApiException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.Http1xServerConnection;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The opening handshake (RFC 6455, section 4), with the conditions of the real server. Bodies have
 * been read by then, which is why the HTTP server's own WebSockets cannot be used.
 */
public final class WebSocketUpgrade {
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final String TOKEN = "base64url.bearer.authorization.k8s.io.";

  private WebSocketUpgrade() {}

  /** Whether a request asks for a WebSocket. */
  public static boolean isAsked(HttpServerRequest request) {
    String upgrade = request.getHeader("upgrade");
    return upgrade != null
        && upgrade.equalsIgnoreCase("websocket")
        && request.getHeader("sec-websocket-key") != null;
  }

  /**
   * The token that a browser hides among the subprotocols, since it can send no other header. There
   * must be another subprotocol, which is the one that is spoken.
   */
  public static Optional<String> token(MultiMap headers) {
    List<String> offered = offered(headers);
    Optional<String> found = offered.stream().filter(name -> name.startsWith(TOKEN)).findFirst();
    return offered.size() < 2
        ? Optional.empty()
        : found.flatMap(name -> decoded(name.substring(TOKEN.length())));
  }

  private static Optional<String> decoded(String base64) {
    try {
      return Optional.of(new String(Base64.getUrlDecoder().decode(base64), UTF_8));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private static List<String> offered(MultiMap headers) {
    return headers.getAll("sec-websocket-protocol").stream()
        .flatMap(value -> Stream.of(value.split(",", -1)))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /**
   * Accepts a request.
   *
   * @return fails with an {@link ApiException} as long as the client can still be told
   */
  static Future<WebSocketStream> accept(HttpServerRequest request) {
    if (!(request.connection() instanceof Http1xServerConnection connection)) {
      return Future.failedFuture(ApiException.badRequest("Upgrade request required"));
    }
    List<String> protocols =
        offered(request.headers()).stream().filter(name -> !name.startsWith(TOKEN)).toList();
    if (request.getHeader("origin") == null) {
      return Future.failedFuture(
          new ApiException(403, "Forbidden", "a WebSocket needs an Origin header"));
    } else if (protocols.size() > 1) {
      return Future.failedFuture(
          ApiException.badRequest("a WebSocket speaks one subprotocol, more were offered"));
    }
    String protocol = protocols.isEmpty() ? "" : protocols.get(0);
    StringBuilder head =
        new StringBuilder(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n");
    head.append("Sec-WebSocket-Accept: ")
        .append(answer(String.valueOf(request.getHeader("sec-websocket-key"))))
        .append("\r\n");
    if (!protocol.isEmpty()) {
      head.append("Sec-WebSocket-Protocol: ").append(protocol).append("\r\n");
    }
    return connection
        .netSocket()
        .map(
            socket -> {
              WebSocketStream stream = new WebSocketStream(socket, protocol);
              stream.begin(Buffer.buffer(head.append("\r\n").toString()));
              return stream;
            });
  }

  private static String answer(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest((key.strip() + MAGIC).getBytes(US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
