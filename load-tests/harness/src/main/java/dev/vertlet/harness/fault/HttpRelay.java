package dev.vertlet.harness.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.certificates.Identity;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Terminates clients' TLS, decides about each request and forwards it. Confined to one event loop.
 */
final class HttpRelay {
  /**
   * Limit of streams per connection: that of a real API server, so that clients meet the same limit
   * here.
   */
  private static final long STREAMS_PER_CONNECTION = 100;

  /**
   * Limit of resets per 30 s. A client that cancels many watches is no attack; Vert.x's default of
   * 200 would treat it as one.
   */
  private static final int RESETS_PER_WINDOW = 1_000_000;

  private static final PoolOptions UNBOUNDED = new PoolOptions().setHttp1MaxSize(100_000);

  private static final int UNAUTHORIZED = 401;

  private final Vertx vertx;
  private final Upstream upstream;
  private final byte[] authorization;
  private final FaultPlan plan;
  private final TrafficLog log;
  private final IntConsumer cutter;
  private final HttpServer server;
  private final HttpClient client;

  /** Open watches. */
  private final Set<Exchange> watches = new HashSet<>();

  /**
   * @param cutter cuts the connection that the relay sees coming from a port
   */
  HttpRelay(
      Vertx vertx,
      FaultProxy.Prepared prepared,
      FaultPlan plan,
      TrafficLog log,
      IntConsumer cutter) {
    this.vertx = vertx;
    this.upstream = prepared.upstream();
    this.authorization = bearer(prepared.token()).getBytes(UTF_8);
    this.plan = plan;
    this.log = log;
    this.cutter = cutter;
    this.server = vertx.createHttpServer(serverOptions(prepared.identity()));
    this.client = vertx.createHttpClient(upstream.clientOptions(), UNBOUNDED);
  }

  /** Listens on a free port and returns it. */
  Future<Integer> listen() {
    return server.requestHandler(this::handle).listen(0, "127.0.0.1").map(HttpServer::actualPort);
  }

  /** Presents another certificate from the next handshake on. */
  Future<Void> show(Identity other) {
    return server.updateSSLOptions(serverOptions(other).getSslOptions()).mapEmpty();
  }

  private static HttpServerOptions serverOptions(Identity identity) {
    return new HttpServerOptions()
        .setSsl(true)
        .setUseAlpn(true)
        .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(identity.certificatePem()))
                .addKeyValue(Buffer.buffer(identity.privateKeyPem())))
        .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(STREAMS_PER_CONNECTION))
        .setHttp2RstFloodMaxRstFramePerWindow(RESETS_PER_WINDOW)
        .setHandle100ContinueAutomatically(true);
  }

  private static String bearer(String token) {
    return "Bearer " + token;
  }

  private void handle(HttpServerRequest request) {
    if (!isOurs(request)) {
      request.resume();
      request.response().setStatusCode(UNAUTHORIZED).end().onFailure(Exchange::goneAlready);
      return;
    }
    ApiRequest api = ApiRequest.of(request.method().name(), request.uri());
    log.arrived(api);
    Exchange exchange = new Exchange(this, request, api);
    if (api.isWatch()) {
      watches.add(exchange);
    }
    FaultPlan.Verdict verdict = plan.judge(api);
    if (verdict.delay().isZero()) {
      exchange.proceed(verdict.effect());
    } else {
      vertx.setTimer(
          Math.max(1, verdict.delay().toMillis()), late -> exchange.proceed(verdict.effect()));
    }
  }

  /**
   * Creates a request to the API server; the caller sets head and body. A failure of the request
   * also fails its response.
   */
  Future<HttpClientRequest> connect(HttpServerRequest request) {
    return client
        .request(
            new RequestOptions()
                .setMethod(request.method())
                .setServer(
                    SocketAddress.inetSocketAddress(upstream.port(), upstream.server().getHost()))
                .setHost(upstream.tlsServerName())
                .setPort(upstream.port())
                .setURI(upstream.pathPrefix() + request.uri()))
        .onSuccess(connected -> connected.exceptionHandler(Exchange::goneAlready));
  }

  /** Whether the request carries the token of the proxy's kubeconfig. */
  private boolean isOurs(HttpServerRequest request) {
    String given = request.getHeader(HttpHeaders.AUTHORIZATION);
    return given != null && MessageDigest.isEqual(given.getBytes(UTF_8), authorization);
  }

  /** Authorization header for the API server; empty when the proxy authenticates by certificate. */
  Optional<String> upstreamAuthorization() {
    return Optional.ofNullable(upstream.token()).map(HttpRelay::bearer);
  }

  void ended(Exchange exchange) {
    watches.remove(exchange);
  }

  void took(ApiRequest request, long nanos) {
    log.took(request, nanos);
  }

  void answered(ApiRequest request, int code, long requestBytes, long responseBytes) {
    log.answered(request, code, requestBytes, responseBytes);
  }

  /** Cuts the connection of a request. */
  void cut(HttpServerRequest request) {
    cutter.accept(request.connection().remoteAddress().port());
  }

  /** Cuts every connection with an open watch; returns the number of open watches. */
  int cutWatches() {
    return cut(List.copyOf(watches));
  }

  /** Cuts every connection with a watch that has sent bytes; returns the number of watches. */
  int cutActiveWatches() {
    return cut(watches.stream().filter(Exchange::hasTold).toList());
  }

  private static int cut(List<Exchange> open) {
    open.forEach(Exchange::cut);
    return open.size();
  }
}
