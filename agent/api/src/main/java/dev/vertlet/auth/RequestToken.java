package dev.vertlet.auth;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Extracts bearer tokens from request headers. Uses no I/O. */
final class RequestToken {
  /** Subprotocol prefix of a token: browsers cannot send Authorization with a WebSocket. */
  private static final String PROTOCOL_PREFIX = "base64url.bearer.authorization.k8s.io.";

  private RequestToken() {}

  /**
   * Returns the token of an Authorization header; empty for any other header.
   *
   * @param authorization null when the header is absent
   */
  static Optional<String> bearer(@Nullable String authorization) {
    if (authorization == null) {
      return Optional.empty();
    }
    String[] parts = authorization.strip().split(" ", 3);
    return parts.length < 2
            || !parts[0].toLowerCase(Locale.ROOT).equals("bearer")
            || parts[1].isEmpty()
        ? Optional.empty()
        : Optional.of(parts[1]);
  }

  /**
   * Token and subprotocols of a WebSocket request.
   *
   * @param token null when there is none
   * @param others subprotocols without the token, in order
   */
  record OfWebSocket(@Nullable String token, List<String> others) {
    /** Omits the token. */
    @Override
    public String toString() {
      return "OfWebSocket" + others;
    }
  }

  /**
   * Splits the subprotocols.
   *
   * @param headers values of Sec-WebSocket-Protocol
   * @throws IllegalArgumentException for two tokens, a token that is not base64url of UTF-8, or a
   *     token without another subprotocol to select
   */
  static OfWebSocket webSocket(List<String> headers) {
    String token = null;
    List<String> others = new ArrayList<>();
    for (String header : headers) {
      for (String each : header.split(",", -1)) {
        String protocol = each.strip();
        if (!protocol.startsWith(PROTOCOL_PREFIX)) {
          others.add(protocol);
        } else if (token != null) {
          throw new IllegalArgumentException("a WebSocket names two tokens");
        } else {
          token = decode(protocol.substring(PROTOCOL_PREFIX.length()));
        }
      }
    }
    if (token == null || token.isEmpty()) {
      return new OfWebSocket(null, others);
    }
    if (others.isEmpty()) {
      throw new IllegalArgumentException("a WebSocket names a token and no other subprotocol");
    }
    return new OfWebSocket(token, others);
  }

  private static String decode(String encoded) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(encoded);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw new IllegalArgumentException("a WebSocket's token is not base64url of UTF-8");
    }
  }
}
