package dev.vertlet.apiserver;

import dev.vertlet.apiserver.admin.AdminHandler;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.apiserver.fault.RequestLog;
import dev.vertlet.apiserver.http.ApiHandler;
import dev.vertlet.apiserver.http.Authenticator;
import dev.vertlet.apiserver.http.ConnectHandler;
import dev.vertlet.apiserver.http.MetricsHandler;
import dev.vertlet.apiserver.http.ResourceHandler;
import dev.vertlet.apiserver.http.ServiceAccountTokens;
import dev.vertlet.apiserver.http.Watches;
import dev.vertlet.apiserver.kubelet.KubeletClient;
import dev.vertlet.apiserver.metrics.ResourceMetrics;
import dev.vertlet.apiserver.registry.PodSubresources;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import dev.vertlet.apiserver.schema.Schemas;
import dev.vertlet.apiserver.schema.Shape;
import dev.vertlet.apiserver.state.Snapshot;
import dev.vertlet.apiserver.state.StateFile;
import dev.vertlet.apiserver.state.StateKeeper;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.websocket.WebSockets;
import dev.vertlet.http.CloseReason;
import dev.vertlet.http.ConnectionLimits;
import dev.vertlet.http.HttpServers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Owner of everything that changes: store, watches, connections. One instance, one event loop. */
final class ApiServerVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ApiServerVerticle.class);

  /**
   * The real server's longest head is 1 MiB, and it has 100 streams a connection. Clients cancel
   * watches by RST_STREAM, thousands at once in a load test: that is no attack here.
   */
  private static final ConnectionLimits LIMITS =
      ConnectionLimits.of(10_000, 2, 1 << 20).withStreams(100, 100_000);

  /**
   * Added to the revision of a state file: more than what can have been written after the file was,
   * so that no revision comes twice.
   */
  private static final long REVISION_LEAP = 1_000_000;

  private final ApiServerOptions options;
  private final Optional<StateFile> stateFile;
  private final Certificates certificates;
  private final ObjectStore store;
  private final Resources resources;
  private final Registry registry;
  private final SystemObjects system;
  private final PodSubresources podSubresources;
  private final Faults faults;
  private final RequestLog log;
  private final ServiceAccountTokens tokens;
  private final Authenticator authenticator;
  private final AdminHandler admin;
  private final Set<HttpConnection> connections = new LinkedHashSet<>();
  private final WebSockets sockets = new WebSockets(connections::remove);
  private Optional<HttpServer> server = Optional.empty();
  private Optional<HttpServers> servers = Optional.empty();
  private Optional<VertxTurns> turns = Optional.empty();
  private Optional<StateKeeper> keeper = Optional.empty();
  private Optional<Watches> watches = Optional.empty();
  private Optional<ApiHandler> handler = Optional.empty();
  private Optional<KubeletClient> kubelets = Optional.empty();
  private int port;

  /**
   * Builds a server that is ready to be deployed. On a worker: certificates take CPU, and the
   * classes loaded here would hold up an event loop. The deployment hands the finished object over
   * to its loop.
   */
  static ApiServerVerticle build(ApiServerOptions options)
      throws GeneralSecurityException, IOException {
    Optional<StateFile> stateFile = options.stateFile().map(StateFile::new);
    Optional<Snapshot> snapshot = stateFile.isPresent() ? stateFile.get().read() : Optional.empty();
    ApiServerVerticle verticle =
        new ApiServerVerticle(options, stateFile, certificates(options, snapshot));
    snapshot.ifPresent(
        saved -> verticle.store.restore(saved.revision() + REVISION_LEAP, saved.objects()));
    verticle.system.createNamespaces();
    LOG.atDebug()
        .addKeyValue("type", Schemas.standard().find("v1", "Pod").map(Shape::name).orElse(""))
        .log("the API types are loaded");
    if (options.tls()) {
      SSLContext warm = SSLContext.getInstance("TLS");
      warm.init(null, null, null);
      LOG.atDebug()
          .addKeyValue("protocols", warm.createSSLEngine().getEnabledProtocols())
          .log("TLS is loaded");
    }
    return verticle;
  }

  /** The same as before a restart, so that the clients' kubeconfigs stay valid. */
  private static Certificates certificates(ApiServerOptions options, Optional<Snapshot> snapshot)
      throws GeneralSecurityException, IOException {
    Optional<Certificates> saved =
        snapshot.isPresent()
            ? Certificates.restore(snapshot.get().secrets(), options.clock(), options.host())
            : Optional.empty();
    return saved.isPresent() ? saved.get() : Certificates.create(options.clock(), options.host());
  }

  private ApiServerVerticle(
      ApiServerOptions options, Optional<StateFile> stateFile, Certificates certificates) {
    this.options = options;
    this.stateFile = stateFile;
    this.certificates = certificates;
    this.port = options.port();
    this.resources = Resources.standard(options.nodeConfigs(), options.trustBundles());
    this.store = new ObjectStore(options.watchWindow());
    this.registry = new Registry(store, resources, options.clock(), options.random());
    this.system = new SystemObjects(registry, resources);
    Resource pods = resources.find("pods").orElseThrow();
    Resource budgets = resources.find("poddisruptionbudgets").orElseThrow();
    this.podSubresources = new PodSubresources(registry, store, pods, budgets, options.clock());
    this.faults = new Faults(store::revision, System::nanoTime);
    this.log = new RequestLog(options.requestLog());
    this.tokens =
        new ServiceAccountTokens(
            registry, resources.find("serviceaccounts").orElseThrow(), options.clock());
    this.authenticator = new Authenticator(options.tokens(), tokens);
    this.admin = new AdminHandler(faults, resources, options.tokens());
  }

  @Override
  public Future<?> start() {
    servers =
        Optional.of(
            new HttpServers(vertx, LIMITS, ApiServerVerticle::refused, System::nanoTime)
                .clearTextHttp2(options.http2()));
    Watches running =
        new Watches(vertx, store, faults, options.bookmarkInterval(), options.clock(), sockets);
    running.start();
    watches = Optional.of(running);
    KubeletClient client = kubeletClient();
    kubelets = Optional.of(client);
    ResourceHandler resourceHandler =
        new ResourceHandler(registry, running, podSubresources, tokens, options.clock());
    handler =
        Optional.of(
            new ApiHandler(
                vertx,
                resources,
                resourceHandler,
                connectHandler(client),
                metricsHandler(client),
                authenticator,
                faults,
                log,
                options.clock()));
    VertxTurns turnsHere = new VertxTurns(vertx, context);
    turns = Optional.of(turnsHere);
    Cluster cluster = new Cluster(store, registry, resources, options.clock(), turnsHere);
    String caPem = options.tls() ? certificates.caPem() : "";
    new ControlPlane(options.controllers(), cluster, podSubresources, caPem).start();
    keeper =
        stateFile.map(
            file ->
                new StateKeeper(vertx, store, file, certificates.toMap(), options.stateInterval()));
    keeper.ifPresent(StateKeeper::start);
    return listen()
        .onSuccess(
            bound -> {
              system.publishService(port);
              system.publishClientAuthority(certificates.caPem());
            });
  }

  private KubeletClient kubeletClient() {
    return new KubeletClient(
        vertx,
        new PemKeyCertOptions()
            .addCertValue(Buffer.buffer(certificates.clientPem()))
            .addKeyValue(Buffer.buffer(certificates.clientKeyPem())),
        connections::remove,
        sockets);
  }

  private MetricsHandler metricsHandler(KubeletClient client) {
    ResourceMetrics metrics =
        new ResourceMetrics(
            vertx,
            registry,
            resources.find("nodes").orElseThrow(),
            resources.find("pods").orElseThrow(),
            client,
            options.clock());
    return new MetricsHandler(metrics, options.clock());
  }

  private ConnectHandler connectHandler(KubeletClient client) {
    return new ConnectHandler(
        vertx,
        registry,
        resources.find("pods").orElseThrow(),
        resources.find("nodes").orElseThrow(),
        client);
  }

  @Override
  public Future<?> stop() {
    turns.ifPresent(VertxTurns::end);
    watches.ifPresent(Watches::stop);
    servers.ifPresent(HttpServers::close);
    return close()
        .eventually(() -> keeper.map(StateKeeper::close).orElse(Future.succeededFuture()));
  }

  /** Binds the port, the same one each time. */
  Future<Void> listen() {
    if (server.isPresent()) {
      return Future.succeededFuture();
    }
    HttpServer http = servers.orElseThrow().create(httpOptions(), this::serve, this::connected);
    server = Optional.of(http);
    return http.listen(port, options.host())
        .onSuccess(bound -> port = bound.actualPort())
        .onFailure(
            e -> {
              server = Optional.empty();
              LOG.atError()
                  .addKeyValue("port", port)
                  .setCause(e)
                  .log("the embedded API server cannot listen");
            })
        .mapEmpty();
  }

  private void serve(HttpServerRequest request) {
    if (AdminHandler.serves(request.path())) {
      admin.handle(request);
    } else {
      handler.orElseThrow().handle(request);
    }
  }

  private static void refused(CloseReason reason, String client) {
    LOG.atDebug()
        .addKeyValue("client", client)
        .addKeyValue("reason", reason.label())
        .log("a connection is closed before it is admitted");
  }

  private void connected(HttpConnection connection) {
    connections.add(connection);
    connection.exceptionHandler(broken -> LOG.debug("a connection is broken", broken));
    connection.closeHandler(closed -> connections.remove(connection));
  }

  private HttpServerOptions httpOptions() {
    HttpServerOptions http =
        new HttpServerOptions()
            .setReuseAddress(true)
            .setAlpnVersions(
                options.http2()
                    ? List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1)
                    : List.of(HttpVersion.HTTP_1_1))
            // WebSockets are the kubelet's and pass through as they are
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false);
    if (options.tls()) {
      http.setSsl(true)
          .setUseAlpn(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .addCertValue(Buffer.buffer(certificates.serverPem()))
                  .addKeyValue(Buffer.buffer(certificates.serverKeyPem())));
    }
    return http;
  }

  /** Closes the port and every connection; objects stay. */
  Future<Void> close() {
    Optional<HttpServer> open = server;
    server = Optional.empty();
    kubelets.ifPresent(client -> client.tunnels().close());
    sockets.close();
    return open.map(HttpServer::close).orElseGet(Future::succeededFuture);
  }

  /** Closes every connection; returns how many. */
  int cutConnections() {
    kubelets.ifPresent(client -> client.tunnels().close());
    sockets.close();
    List<HttpConnection> open = List.copyOf(connections);
    open.forEach(
        connection ->
            connection.close().onFailure(e -> LOG.debug("the connection was closed already", e)));
    return open.size();
  }

  /** The loop that owns this server. */
  Loop loop() {
    return new Loop(context);
  }

  Objects objects() {
    return new Objects(loop(), resources, registry, podSubresources);
  }

  Watches watches() {
    return watches.orElseThrow();
  }

  ObjectStore store() {
    return store;
  }

  Faults faults() {
    return faults;
  }

  RequestLog log() {
    return log;
  }

  Certificates certificates() {
    return certificates;
  }

  /** Connections that are tunnelled to kubelets now. */
  int tunnels() {
    return kubelets.map(client -> client.tunnels().size()).orElse(0);
  }

  Authenticator authenticator() {
    return authenticator;
  }

  int port() {
    return port;
  }
}
