package dev.vertlet.cri.stream;

import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** Opens connections to the streaming server of the container runtime. */
final class StreamingClient {
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int CONNECT_MILLIS = 10_000;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

  /** Each session has a connection of its own; the number of sessions is limited elsewhere. */
  private static final int MOST_CONNECTIONS = 10_000;

  private final Vertx vertx;
  private final HttpClientAgent client;

  StreamingClient(Vertx vertx) {
    this.vertx = vertx;
    // a runtime makes a certificate of its own for its streaming server on loopback
    HttpClientOptions options =
        new HttpClientOptions()
            .setConnectTimeout(CONNECT_MILLIS)
            .setTrustAll(true)
            .setVerifyHost(false);
    this.client =
        vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS));
  }

  /**
   * Opens a connection.
   *
   * @param url as the runtime gave it
   * @param protocols of Kubernetes' streams, the preferred one first
   * @return fails with a {@link ProviderException}
   */
  Future<SpdyConnection> open(String url, List<String> protocols) {
    RequestOptions options;
    try {
      options = options(URI.create(url));
    } catch (IllegalArgumentException e) {
      return failed("the container runtime gave a bad URL for streams: " + e.getMessage());
    }
    protocols.forEach(protocol -> options.addHeader("X-Stream-Protocol-Version", protocol));
    return client
        .request(options)
        .compose(
            request ->
                request
                    .connect()
                    .compose(
                        response ->
                            response.statusCode() == SWITCHING_PROTOCOLS
                                ? Future.succeededFuture(
                                    new SpdyConnection(vertx, response.netSocket()))
                                : refused(response)))
        .recover(
            failure ->
                failure instanceof ProviderException
                    ? Future.failedFuture(failure)
                    : failed("the container runtime's streams fail: " + failure.getMessage()));
  }

  private static RequestOptions options(URI url) {
    String scheme = String.valueOf(url.getScheme());
    boolean tls = scheme.equals("https");
    if (url.getHost() == null || !tls && !scheme.equals("http")) {
      throw new IllegalArgumentException(url + " is no http or https URL");
    }
    if (tls && !LOOPBACK.contains(url.getHost())) {
      throw new IllegalArgumentException(
          url.getHost() + " is not this host, and its certificate cannot be verified");
    }
    int port = url.getPort() >= 0 ? url.getPort() : tls ? HTTPS_PORT : HTTP_PORT;
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return new RequestOptions()
        .setMethod(HttpMethod.GET)
        .setHost(url.getHost())
        .setPort(port)
        .setSsl(tls)
        .setURI(url.getRawPath() + query)
        .putHeader("Connection", "Upgrade")
        .putHeader("Upgrade", "SPDY/3.1");
  }

  private static Future<SpdyConnection> refused(HttpClientResponse response) {
    return response
        .body()
        .compose(
            body ->
                failed(
                    "the container runtime refuses a stream: %d %s"
                        .formatted(response.statusCode(), body.toString().strip())));
  }

  private static <T> Future<T> failed(String message) {
    return Future.failedFuture(
        new ProviderException(Kind.TEMPORARY, "StreamFailed", message));
  }

  Future<Void> close() {
    return client.close();
  }
}
