package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code PodExecOptions}, {@code PodAttachOptions} and {@code PodPortForwardOptions}: what a client
 * wants of a stream, in the parameters that kubelets know. Whether it makes sense is the kubelet's
 * to say.
 */
public final class StreamOptions {
  /** The API's name of a stream, and the kubelet's. */
  private static final List<Map.Entry<String, String>> STREAMS =
      List.of(
          Map.entry("stdin", "input"),
          Map.entry("stdout", "output"),
          Map.entry("stderr", "error"),
          Map.entry("tty", "tty"));

  private StreamOptions() {}

  /** Of an exec. */
  public static Query exec(Query asked) {
    Query query = attach(asked);
    asked.all("command").forEach(word -> query.add("command", word));
    return query;
  }

  /** Of an attach. */
  public static Query attach(Query asked) {
    Query query = new Query();
    for (Map.Entry<String, String> stream : STREAMS) {
      if (asked.flag(stream.getKey())) {
        query.add(stream.getValue(), "1");
      }
    }
    return query;
  }

  /**
   * Of a port-forward.
   *
   * @throws ApiException 400 when a port is no number
   */
  public static Query portForward(Query asked) {
    List<String> ports = new ArrayList<>();
    for (String port : asked.all("ports")) {
      ports.add(Integer.toString(number(port)));
    }
    Query query = new Query();
    if (!ports.isEmpty()) {
      query.add("port", String.join(",", ports));
    }
    return query;
  }

  private static int number(String port) {
    try {
      return Integer.parseInt(port);
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing \"%s\": invalid syntax".formatted(port));
    }
  }
}
