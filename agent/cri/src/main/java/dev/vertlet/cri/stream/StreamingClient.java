package dev.vertlet.cri.stream;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** Opens connections to the streaming server of the container runtime. */
final class StreamingClient {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

  private final Vertx vertx;
  private final NetClient plain;
  private final NetClient tls;

  StreamingClient(Vertx vertx) {
    this.vertx = vertx;
    this.plain = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_MILLIS));
    // a runtime makes a certificate of its own for its streaming server, which is on loopback
    this.tls =
        vertx.createNetClient(
            new NetClientOptions()
                .setConnectTimeout(CONNECT_MILLIS)
                .setSsl(true)
                .setTrustAll(true)
                .setHostnameVerificationAlgorithm(""));
  }

  /**
   * Opens a connection.
   *
   * @param url as the runtime gave it
   * @param protocol version of Kubernetes' streams
   * @return fails with a {@link ProviderException}
   */
  Future<SpdyConnection> open(String url, String protocol) {
    URI target;
    try {
      target = checked(URI.create(url));
    } catch (IllegalArgumentException e) {
      return failed("the container runtime gave a bad URL for streams: " + e.getMessage());
    }
    return connect(target)
        .compose(socket -> new Upgrade(vertx, socket).send(head(target, protocol)))
        .map(socket -> new SpdyConnection(vertx, socket))
        .recover(
            failure -> failed("the container runtime's streams fail: " + failure.getMessage()));
  }

  private Future<NetSocket> connect(URI url) {
    boolean secure = url.getScheme().equals("https");
    int port = url.getPort() >= 0 ? url.getPort() : secure ? HTTPS_PORT : HTTP_PORT;
    return (secure ? tls : plain).connect(port, url.getHost().replaceAll("[\\[\\]]", ""));
  }

  private static URI checked(URI url) {
    String scheme = String.valueOf(url.getScheme());
    boolean secure = scheme.equals("https");
    if (url.getHost() == null || !secure && !scheme.equals("http")) {
      throw new IllegalArgumentException(url + " is no http or https URL");
    }
    if (secure && !LOOPBACK.contains(url.getHost())) {
      throw new IllegalArgumentException(
          url.getHost() + " is not this host, and its certificate cannot be verified");
    }
    return url;
  }

  private static String head(URI url, String protocol) {
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return String.join(
        "\r\n",
        List.of(
            "POST " + url.getRawPath() + query + " HTTP/1.1",
            "Host: " + url.getRawAuthority(),
            "Connection: Upgrade",
            "Upgrade: SPDY/3.1",
            "Content-Length: 0",
            "X-Stream-Protocol-Version: " + protocol,
            "",
            ""));
  }

  private static <T> Future<T> failed(String message) {
    return Future.failedFuture(new ProviderException(Kind.TEMPORARY, "StreamFailed", message));
  }

  Future<Void> close() {
    return Future.join(plain.close(), tls.close()).mapEmpty();
  }
}
