package dev.vertlet.model.container;

import java.util.List;

/** Action of a probe or a hook. */
public sealed interface HandlerView {
  /** An action that the API server knows and vertlet does not. */
  record Unknown() implements HandlerView {}

  /** Runs a command in the container; exit code 0 is success. */
  record Exec(List<String> command) implements HandlerView {
    public Exec {
      command = List.copyOf(command);
    }
  }

  /**
   * Sends a GET request; 200 to 399 is success.
   *
   * @param scheme HTTP or HTTPS
   * @param host empty for the pod's address
   * @param port a number, or the name of a port that the container does not declare
   * @param headers {@code name: value}, in the order of the spec
   */
  record HttpGet(String scheme, String host, String port, String path, List<String> headers)
      implements HandlerView {
    public HttpGet {
      headers = List.copyOf(headers);
    }
  }

  /**
   * Opens a connection; an established connection is success.
   *
   * @param host empty for the pod's address
   * @param port as in {@link HttpGet}
   */
  record TcpSocket(String host, String port) implements HandlerView {}

  /**
   * Queries the gRPC health service at the pod's address.
   *
   * @param service empty for the server as a whole
   */
  record Grpc(int port, String service) implements HandlerView {}

  /** Pauses for a number of seconds. */
  record Sleep(long seconds) implements HandlerView {}
}
