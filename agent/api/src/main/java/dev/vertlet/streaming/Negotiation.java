package dev.vertlet.streaming;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects the protocol that both client and server speak. Responses and texts are a kubelet's where
 * clients show them to users.
 */
final class Negotiation {
  static final String SPDY = "SPDY/3.1";
  static final String PORT_FORWARD = "portforward.k8s.io";

  /** Prefix of a tunnelled protocol's name. */
  static final String TUNNEL = SPDY + "+";

  static final String VERSION_HEADER = "X-Stream-Protocol-Version";
  private static final String ACCEPTED_HEADER = "X-Accepted-Stream-Protocol-Versions";
  private static final String WEB_SOCKET_HEADER = "Sec-WebSocket-Protocol";

  static final List<String> COMMAND_STREAMS =
      List.of(
          "v5.channel.k8s.io",
          "v4.channel.k8s.io",
          "v3.channel.k8s.io",
          "v2.channel.k8s.io",
          "channel.k8s.io");

  static final List<String> COMMAND_CHANNELS =
      List.of(
          "v5.channel.k8s.io",
          "v4.channel.k8s.io",
          "v4.base64.channel.k8s.io",
          "channel.k8s.io",
          "base64.channel.k8s.io");

  static final List<String> PORT_CHANNELS =
      List.of("v4.channel.k8s.io", "v4.base64.channel.k8s.io");

  /** RFC 6455, section 1.3. */
  private static final String ACCEPT_SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final int KEY_BYTES = 16;

  private Negotiation() {}

  /** Negotiates the protocol of a command's streams. */
  static Upgrade command(HttpMethod method, MultiMap headers) {
    return isWebSocket(headers)
        ? channels(method, headers, COMMAND_CHANNELS)
        : spdy(headers, COMMAND_STREAMS);
  }

  /** Negotiates the protocol of port forwarding. */
  static Upgrade ports(HttpMethod method, MultiMap headers) {
    if (!isWebSocket(headers)) {
      return spdy(headers, List.of(PORT_FORWARD));
    }
    List<String> offered = listed(headers, WEB_SOCKET_HEADER);
    return offered.stream().anyMatch(Negotiation::isTunnel)
        ? tunnel(method, headers, offered)
        : channels(method, headers, PORT_CHANNELS);
  }

  /** Returns whether the client requests a WebSocket. */
  static boolean isWebSocket(MultiMap headers) {
    return isUpgrade(headers) && "websocket".equalsIgnoreCase(headers.get("Upgrade"));
  }

  private static boolean isUpgrade(MultiMap headers) {
    return headers.getAll("Connection").stream()
        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"));
  }

  private static boolean isTunnel(String protocol) {
    return protocol.startsWith(TUNNEL) && protocol.endsWith(".k8s.io");
  }

  private static Upgrade tunnel(HttpMethod method, MultiMap headers, List<String> offered) {
    Upgrade.Refused refused = checkWebSocket(method, headers);
    if (refused != null) {
      return refused;
    }
    String protocol = TUNNEL + PORT_FORWARD;
    if (!offered.contains(protocol)) {
      List<String> inside =
          offered.stream()
              .filter(Negotiation::isTunnel)
              .map(name -> name.substring(TUNNEL.length()))
              .toList();
      return noneInCommon(inside, List.of(PORT_FORWARD));
    }
    return new Upgrade.Tunnel(webSocketHeaders(headers, protocol));
  }

  private static Upgrade channels(HttpMethod method, MultiMap headers, List<String> spoken) {
    Upgrade.Refused refused = checkWebSocket(method, headers);
    if (refused != null) {
      return refused;
    }
    List<String> offered = listed(headers, WEB_SOCKET_HEADER);
    String protocol = offered.isEmpty() ? "" : firstOf(offered, spoken);
    if (protocol == null) {
      return new Upgrade.Refused(
          403,
          "requested protocol(s) are not supported: "
              + spaced(offered)
              + "; supports "
              + spaced(spoken));
    }
    return new Upgrade.Channels(protocol, webSocketHeaders(headers, protocol));
  }

  private static Upgrade.@Nullable Refused checkWebSocket(HttpMethod method, MultiMap headers) {
    if (!method.equals(HttpMethod.GET)) {
      return new Upgrade.Refused(405, "bad method");
    }
    if (!"13".equals(headers.get("Sec-WebSocket-Version"))) {
      return new Upgrade.Refused(
          400, "missing or bad WebSocket Version", Map.of("Sec-WebSocket-Version", List.of("13")));
    }
    return isKey(headers.get("Sec-WebSocket-Key"))
        ? null
        : new Upgrade.Refused(400, "mismatch challenge/response");
  }

  private static boolean isKey(@Nullable String key) {
    try {
      return key != null && Base64.getDecoder().decode(key.trim()).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Map<String, String> webSocketHeaders(MultiMap headers, String protocol) {
    String accept = accept(String.valueOf(headers.get("Sec-WebSocket-Key")).trim());
    return protocol.isEmpty()
        ? Map.of("Upgrade", "websocket", "Sec-WebSocket-Accept", accept)
        : Map.of(
            "Upgrade", "websocket", "Sec-WebSocket-Accept", accept, WEB_SOCKET_HEADER, protocol);
  }

  private static String accept(String key) {
    try {
      byte[] salted = (key + ACCEPT_SALT).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(salted));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  private static Upgrade spdy(MultiMap headers, List<String> spoken) {
    if (!isUpgrade(headers)) {
      return Upgrade.Refused.NO_UPGRADE;
    }
    String upgrade = headers.get("Upgrade");
    if (!headers.contains(VERSION_HEADER)) {
      return new Upgrade.Refused(
          400,
          "unable to upgrade: header %s does not exist in request with %d headers"
              .formatted(VERSION_HEADER, countedAsInGo(headers)));
    }
    List<String> offered = listed(headers, VERSION_HEADER);
    if (offered.isEmpty()) {
      return new Upgrade.Refused(
          400,
          "unable to upgrade: header %s contains %s, but no valid protocols"
              .formatted(VERSION_HEADER, spaced(headers.getAll(VERSION_HEADER))));
    }
    String protocol = firstOf(offered, spoken);
    if (protocol == null) {
      return noneInCommon(offered, spoken);
    }
    if (upgrade == null || !upgrade.toLowerCase(Locale.ROOT).contains("spdy/3.1")) {
      return new Upgrade.Refused(
          400,
          "unable to upgrade: missing upgrade headers in request: Connection %s, Upgrade %s"
              .formatted(spaced(headers.getAll("Connection")), spaced(headers.getAll("Upgrade"))));
    }
    return new Upgrade.Spdy(protocol, Map.of("Upgrade", SPDY, VERSION_HEADER, protocol));
  }

  private static Upgrade.Refused noneInCommon(List<String> offered, List<String> spoken) {
    return new Upgrade.Refused(
        403,
        "unable to upgrade: unable to negotiate protocol: client supports %s, server accepts %s"
            .formatted(spaced(offered), spaced(spoken)),
        Map.of(ACCEPTED_HEADER, spoken));
  }

  /** Counts distinct header names without Host, as Go's header map does. */
  private static int countedAsInGo(MultiMap headers) {
    Set<String> names = new HashSet<>();
    headers.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    names.remove("host");
    return names.size();
  }

  private static @Nullable String firstOf(List<String> offered, List<String> spoken) {
    return offered.stream().filter(spoken::contains).findFirst().orElse(null);
  }

  private static List<String> listed(MultiMap headers, String name) {
    List<String> values = new ArrayList<>();
    for (String header : headers.getAll(name)) {
      Arrays.stream(header.split(",", -1))
          .map(String::trim)
          .filter(value -> !value.isEmpty())
          .forEach(values::add);
    }
    return values;
  }

  private static String spaced(List<String> values) {
    return "[" + String.join(" ", values) + "]";
  }
}
