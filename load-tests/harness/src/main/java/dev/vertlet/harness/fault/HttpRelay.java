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

/** Ends clients' TLS, judges each request and passes it on. Confined to one event loop. */
final class HttpRelay {
  /**
   * As many as a real API server allows on one connection, so that clients meet the same limit
   * here.
   */
  private static final long STREAMS_PER_CONNECTION = 100;

  /**
   * A client that cancels many watches is no attacker here; Vert.x would take it for one after 200
   * in 30 s.
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

  /** The watches that are open. */
  private final Set<Exchange> watches = new HashSet<>();

  /**
   * @param cutter cuts the connection that comes from that port
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

  /** Shows another certificate, from the next handshake on. */
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
   * A request to the API server, head and body still to be set; what fails it fails its answer too.
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

  /** Whether it comes from somebody who may read the proxy's kubeconfig. */
  private boolean isOurs(HttpServerRequest request) {
    String given = request.getHeader(HttpHeaders.AUTHORIZATION);
    return given != null && MessageDigest.isEqual(given.getBytes(UTF_8), authorization);
  }

  /** What the API server wants in place of the proxy's token; empty where it is a certificate. */
  Optional<String> upstreamAuthorization() {
    return Optional.ofNullable(upstream.token()).map(HttpRelay::bearer);
  }

  void ended(Exchange exchange) {
    watches.remove(exchange);
  }

  void answered(ApiRequest request, int code, long requestBytes, long responseBytes) {
    log.answered(request, code, requestBytes, responseBytes);
  }

  /** Cuts the connection on which that request came. */
  void cut(HttpServerRequest request) {
    cutter.accept(request.connection().remoteAddress().port());
  }

  /** Cuts every connection on which a watch is open; returns how many watches that were. */
  int cutWatches() {
    return cut(List.copyOf(watches));
  }

  /** Does so for those that have told something. */
  int cutActiveWatches() {
    return cut(watches.stream().filter(Exchange::hasTold).toList());
  }

  private static int cut(List<Exchange> open) {
    open.forEach(Exchange::cut);
    return open.size();
  }
}
