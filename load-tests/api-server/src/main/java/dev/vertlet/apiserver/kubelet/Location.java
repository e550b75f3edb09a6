package dev.vertlet.apiserver.kubelet;

/**
 * What a request is passed on to.
 *
 * @param tls whether it is https
 * @param asApiServer whether the server shows its client certificate there, as it does to kubelets
 *     alone
 * @param host an address or a name that has to be resolved
 * @param port TCP port
 * @param uri path and query, encoded
 */
public record Location(boolean tls, boolean asApiServer, String host, int port, String uri) {
  /** A kubelet's own port. */
  public static Location ofKubelet(NodeEndpoint endpoint, String path, Query query) {
    String parameters = query.toString();
    return new Location(
        true,
        true,
        endpoint.host(),
        endpoint.port(),
        parameters.isEmpty() ? path : path + "?" + parameters);
  }

  /** Host and port as they stand in a URL. */
  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** The URL, for messages. */
  @Override
  public String toString() {
    return (tls ? "https://" : "http://") + authority() + uri;
  }
}
