package dev.vertlet.kube.client;

import dev.vertlet.kube.access.AccessSnapshot;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connections of one client: one for requests, one for leases, and as many for watches as they
 * need. Holds its {@code HttpClient}s strongly: the garbage collector closes a client that is
 * reachable only from its own callbacks.
 */
final class Links {
  private static final Logger LOG = LoggerFactory.getLogger(Links.class);

  /**
   * API servers allow 100 streams per connection; 10 are left for streams that are still ending.
   */
  private static final int WATCHES_PER_CONNECTION = 90;

  /**
   * 1 MiB, so that a list of thousands of objects does not stop every 64 KiB for a window update.
   */
  private static final int STREAM_WINDOW = 1 << 20;

  /** Room for eight full streams. */
  private static final int CONNECTION_WINDOW = 8 << 20;

  /** With HTTP/1.1 each watch has a connection of its own. */
  private static final int HTTP1_WATCHES = 10_000;

  private final Vertx vertx;
  private final KubeClientOptions options;
  private final AccessSnapshot access;
  private final KubeMetrics metrics;
  private final SSLEngineOptions engine;
  private final SocketAddress address;
  private final List<HttpClientAgent> agents = new ArrayList<>();
  private final List<WatchLink> watchLinks = new ArrayList<>();
  private final Link main;
  private final Link lease;
  private @Nullable ClientSSLOptions ssl;

  Links(
      Vertx vertx,
      KubeClientOptions options,
      AccessSnapshot access,
      SSLEngineOptions engine,
      KubeMetrics metrics) {
    this.vertx = vertx;
    this.options = options;
    this.access = access;
    this.metrics = metrics;
    this.engine = engine;
    this.address = SocketAddress.inetSocketAddress(access.port(), access.host());
    this.ssl = access.ssl();
    this.main = link("main", options.windows().main(), options.windows().http1());
    this.lease = link("lease", options.windows().lease(), options.windows().http1());
  }

  Link main() {
    return main;
  }

  Link lease() {
    return lease;
  }

  /** Returns a link with room for one more watch; release it with {@link WatchLink#released}. */
  WatchLink acquireForWatch() {
    WatchLink chosen =
        watchLinks.stream()
            .filter(WatchLink::hasRoom)
            .findFirst()
            .orElseGet(
                () -> {
                  WatchLink added =
                      new WatchLink(link("watch", WATCHES_PER_CONNECTION, HTTP1_WATCHES));
                  watchLinks.add(added);
                  return added;
                });
    chosen.watches++;
    return chosen;
  }

  /** Uses other certificates for new connections; the next request opens one. */
  void renew(ClientSSLOptions certificates) {
    ssl = certificates;
    for (HttpClientAgent agent : agents) {
      agent
          .updateSSLOptions(certificates)
          .onFailure(e -> LOG.warn("New certificates are not usable: {}", e.getMessage()));
    }
    main.renew();
    lease.renew();
    watchLinks.forEach(watch -> watch.link.renew());
  }

  /** Address of the server; the caller adds method, URI and headers. */
  RequestOptions target() {
    String name = access.tlsServerName();
    return new RequestOptions()
        .setServer(address)
        .setHost(name == null ? access.host() : name)
        .setPort(access.port())
        .setSsl(access.isTls());
  }

  /** Keeps the URL's host as the authority when another name is verified in the certificate. */
  HttpClientRequest addressed(HttpClientRequest request) {
    return access.tlsServerName() == null
        ? request
        : request.authority(HostAndPort.create(access.host(), access.port()));
  }

  Future<Void> close() {
    List<Future<Void>> closing = new ArrayList<>();
    closing.add(main.close());
    closing.add(lease.close());
    watchLinks.forEach(watch -> closing.add(watch.link.close()));
    return Future.join(closing).mapEmpty();
  }

  private Link link(String role, int streams, int http1Connections) {
    HttpClientAgent agent = agent(http1Connections);
    Link http1 = new Http1Link(agent, http1Connections);
    if (options.protocol() == HttpProtocol.HTTP_1_1) {
      return http1;
    }
    Counter opened = metrics.connections(role);
    return new Http2Link(
        vertx,
        () -> {
          opened.increment();
          return connect(agent);
        },
        options,
        streams,
        http1);
  }

  private Future<HttpClientConnection> connect(HttpClientAgent agent) {
    String name = access.tlsServerName();
    HttpConnectOptions target =
        new HttpConnectOptions()
            .setServer(address)
            .setHost(name == null ? access.host() : name)
            .setPort(access.port())
            .setSsl(access.isTls());
    try {
      return agent.connect(target);
    } catch (IllegalStateException closed) { // Vert.x throws it instead of failing the Future
      return Future.failedFuture(closed);
    }
  }

  private HttpClientAgent agent(int http1Connections) {
    boolean http2 = options.protocol() == HttpProtocol.HTTP_2;
    HttpClientOptions http =
        new HttpClientOptions()
            .setProtocolVersion(http2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
            .setUseAlpn(http2)
            .setHttp2ClearTextUpgrade(false)
            .setSsl(access.isTls())
            .setSslEngineOptions(engine)
            .setTcpNoDelay(true)
            .setTcpKeepAlive(true)
            .setTcpUserTimeout((int) options.timeouts().ping().toMillis() * 2)
            .setInitialSettings(new Http2Settings().setInitialWindowSize(STREAM_WINDOW))
            .setHttp2ConnectionWindowSize(CONNECTION_WINDOW)
            .setConnectTimeout((int) options.timeouts().connect().toMillis())
            .setProxyOptions(access.proxy());
    HttpClientAgent agent =
        vertx.createHttpClient(
            http, new PoolOptions().setHttp1MaxSize(http1Connections).setMaxWaitQueueSize(-1));
    ClientSSLOptions certificates = ssl;
    if (certificates != null) {
      agent
          .updateSSLOptions(certificates)
          .onFailure(e -> LOG.warn("Certificates are not usable: {}", e.getMessage()));
    }
    agents.add(agent);
    return agent;
  }

  /** A link and its number of watches. */
  static final class WatchLink {
    private final Link link;
    private int watches;

    private WatchLink(Link link) {
      this.link = link;
    }

    private boolean hasRoom() {
      return watches < link.capacity();
    }

    Future<HttpClientRequest> open(RequestOptions options) {
      return link.open(options);
    }

    void released() {
      watches--;
    }
  }
}
