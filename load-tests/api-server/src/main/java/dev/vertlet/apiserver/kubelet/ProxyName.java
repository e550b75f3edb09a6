package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import java.util.List;
import java.util.OptionalInt;

/**
 * The name in the URL of a proxy: {@code name}, {@code name:port} or {@code scheme:name:port}.
 *
 * @param tls whether the port is said to be https
 * @param name name of the node or the pod
 * @param port TCP port, empty for the usual one
 */
public record ProxyName(boolean tls, String name, OptionalInt port) {
  private static final int MOST_PARTS = 3;
  private static final int HIGHEST_PORT = 65535;

  /**
   * Takes a name apart.
   *
   * @param kind {@code node} or {@code pod}, for the message
   * @throws ApiException 400 when it is none of the three forms
   */
  public static ProxyName parse(String kind, String text) {
    List<String> parts = List.of(text.split(":", -1));
    String scheme = parts.size() == MOST_PARTS ? parts.get(0) : "";
    String name = parts.get(parts.size() == MOST_PARTS ? 1 : 0);
    String port = parts.size() > 1 ? parts.get(parts.size() - 1) : "";
    boolean known = scheme.isEmpty() || scheme.equals("http") || scheme.equals("https");
    if (parts.size() > MOST_PARTS || name.isEmpty() || !known) {
      throw ApiException.badRequest("invalid %s request \"%s\"".formatted(kind, text));
    }
    return new ProxyName(
        scheme.equals("https"),
        name,
        port.isEmpty() ? OptionalInt.empty() : number(kind, text, port));
  }

  private static OptionalInt number(String kind, String text, String port) {
    try {
      int number = Integer.parseInt(port);
      if (number > 0 && number <= HIGHEST_PORT) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // named ports have a meaning at services only
    }
    throw ApiException.badRequest("invalid %s request \"%s\"".formatted(kind, text));
  }
}
