package dev.vertlet.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Creates the HTTP servers of one verticle, which share its {@link ConnectionLimits}. Confined to
 * the verticle's event loop, on which its servers must listen.
 */
public final class HttpServers {
  private static final int RESETS_SECONDS = 30;

  /** The limit of Go's servers for a handshake and the header of a first request. */
  private static final long HANDSHAKE_SECONDS = 10;

  private static final long SWEEP_MILLIS = 1_000;

  private static final AttributeKey<Tracked> TRACKED =
      AttributeKey.valueOf(HttpServers.class, "tracked");

  private final Vertx vertx;
  private final ConnectionLimits limits;
  private final ConnectionTracker tracker;
  private boolean clearTextHttp2;
  private long timer = -1;

  private record Tracked(ConnectionTracker tracker, TrackedConnection connection) {}

  /**
   * @param refused notified of connections that are closed before admission
   * @param nanos monotonic nanoseconds
   */
  public HttpServers(
      Vertx vertx, ConnectionLimits limits, RefusedConnections refused, LongSupplier nanos) {
    this.vertx = vertx;
    this.limits = limits;
    this.tracker = new ConnectionTracker(limits, refused, nanos);
  }

  /** Sets whether servers created from now on accept HTTP/2 without TLS; false by default. */
  public HttpServers clearTextHttp2(boolean allowed) {
    clearTextHttp2 = allowed;
    return this;
  }

  /**
   * Creates a server that does not listen yet.
   *
   * @param options address, port and TLS; the limits are set here
   */
  public HttpServer create(HttpServerOptions options, Handler<HttpServerRequest> handler) {
    return create(options, handler, connection -> {});
  }

  /**
   * Creates a server with a connection handler.
   *
   * @param connected receives each connection after its handshake and may set its other handlers
   */
  public HttpServer create(
      HttpServerOptions options,
      Handler<HttpServerRequest> handler,
      Handler<HttpConnection> connected) {
    return vertx
        .createHttpServer(limited(options))
        .connectionHandler(
            connection -> {
              BrokenConnections.hear(connection);
              if (established(connection)) {
                connected.handle(connection);
              }
            })
        .requestHandler(request -> began(request, handler));
  }

  private HttpServerOptions limited(HttpServerOptions options) {
    options
        .setTcpKeepAlive(true)
        .setHttp2ClearTextEnabled(clearTextHttp2)
        .setMaxInitialLineLength(limits.headerBytes())
        .setMaxHeaderSize(limits.headerBytes())
        .setHttp2RstFloodMaxRstFramePerWindow(limits.resets())
        .setHttp2RstFloodWindowDuration(RESETS_SECONDS)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(limits.streams())
                .setMaxHeaderListSize(limits.headerBytes()));
    if (options.isSsl()) {
      SSLEngineOptions engine = options.getSslEngineOptions();
      options
          .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
          .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
          .setSslEngineOptions(
              TrackedSslContext.options(
                  engine == null ? new JdkSSLEngineOptions() : engine, this::connected));
    }
    return options;
  }

  /** Stops checking time limits; the owners of the servers close them. */
  public void close() {
    vertx.cancelTimer(timer);
  }

  /** Returns the number of open connections of all servers, handshakes included. */
  public int connections() {
    return tracker.size();
  }

  /**
   * Admits a request: its connection is trusted from now on. Does nothing for a request of another
   * kind of server or after its end. Thread-safe.
   */
  public static void admitted(HttpServerRequest request) {
    Channel channel = channel(request.connection());
    Tracked tracked = channel.attr(TRACKED).get();
    if (tracked == null) {
      return;
    }
    int id = id(request);
    if (channel.eventLoop().inEventLoop()) {
      tracked.tracker.admitted(tracked.connection, id);
    } else {
      channel.eventLoop().execute(() -> tracked.tracker.admitted(tracked.connection, id));
    }
  }

  /**
   * Counts a large response to a possibly unadmitted client until the client has read it. Call it
   * on the server's event loop.
   *
   * @return whether it may be written; otherwise answer 503
   */
  public static boolean mayAnswer(HttpServerRequest request, long bytes) {
    Tracked tracked = channel(request.connection()).attr(TRACKED).get();
    return tracked == null || tracked.tracker.answering(tracked.connection, id(request), bytes);
  }

  /** Tracks a connection, with TLS before its handshake. */
  private void connected(Channel channel) {
    TrackedConnection connection = new TrackedConnection(client(channel), new Ends(channel));
    channel.attr(TRACKED).set(new Tracked(tracker, connection));
    channel.closeFuture().addListener(closed -> tracker.closed(connection));
    TrackedBytes bytes = new TrackedBytes(tracker, connection);
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    if (tls == null) {
      channel.pipeline().addFirst(TrackedBytes.NAME, bytes);
    } else {
      channel.pipeline().addAfter(tls.name(), TrackedBytes.NAME, bytes);
      ((SslHandler) tls.handler())
          .handshakeFuture()
          .addListener(ended -> tracker.handshakeEnded(connection));
    }
    tracker.opened(
        connection, ConnectionLimits.CONNECTION + (tls == null ? 0 : ConnectionLimits.TLS));
    watch();
  }

  /** Tracks the connection by its protocol; returns whether it may stay. */
  private boolean established(HttpConnection http) {
    Channel channel = channel(http);
    if (channel.attr(TRACKED).get() == null) {
      connected(channel);
    }
    TrackedConnection connection = channel.attr(TRACKED).get().connection;
    if (!connection.open) {
      return false;
    }
    ChannelHandlerContext http2 = channel.pipeline().context(Http2ConnectionHandler.class);
    if (http2 == null) {
      channel
          .pipeline()
          .addAfter("httpEncoder", Http1Messages.NAME, new Http1Messages(tracker, connection));
      channel.pipeline().addBefore("handler", Http1Faults.NAME, new Http1Faults());
    } else {
      Http2Tracking.install(http2, tracker, connection);
      tracker.grown(connection, ConnectionLimits.HTTP2);
    }
    return connection.open;
  }

  private void began(HttpServerRequest request, Handler<HttpServerRequest> handler) {
    Tracked tracked = channel(request.connection()).attr(TRACKED).get();
    if (tracked.tracker.requestBegan(tracked.connection, id(request), cost(request))) {
      handler.handle(request);
    } else if (tracked.connection.open) {
      request
          .response()
          .setStatusCode(503)
          .putHeader(HttpHeaders.RETRY_AFTER, "1")
          .end("too much is held by requests that are not admitted; try again later\n");
    }
  }

  /** Returns the bytes of a request; over HTTP/1.1 the header's bytes are already counted. */
  private static long cost(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      return ConnectionLimits.REQUEST;
    }
    long bytes = ConnectionLimits.REQUEST + (long) request.uri().length();
    for (Map.Entry<String, String> field : request.headers()) {
      bytes += ConnectionLimits.FIELD + field.getKey().length() + field.getValue().length();
    }
    return bytes;
  }

  private static int id(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2 ? request.streamId() : ConnectionTracker.HTTP1;
  }

  private static Channel channel(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }

  private static String client(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? ClientShare.ofAddress(address.getAddress())
        : "";
  }

  /** Starts the timer for time limits; an idle server has none. */
  private void watch() {
    if (timer == -1) {
      timer =
          vertx.setPeriodic(
              SWEEP_MILLIS,
              id -> {
                tracker.sweep();
                if (tracker.size() == 0) {
                  vertx.cancelTimer(id);
                  timer = -1;
                }
              });
    }
  }

  private record Ends(Channel channel) implements TrackedConnection.Ends {
    /** Closes through the last handler, which is Vert.x's and first writes pending responses. */
    @Override
    public void close() {
      ChannelHandlerContext last = channel.pipeline().lastContext();
      if (last == null) {
        channel.close();
      } else {
        last.close();
      }
      ChannelHandlerContext bytes = channel.pipeline().context(TrackedBytes.NAME);
      if (bytes != null) {
        ((TrackedBytes) bytes.handler()).closed(bytes);
      }
    }

    @Override
    public long unsent() {
      ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
      return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    @Override
    public void abort(int id) {
      ChannelHandlerContext http2 = channel.pipeline().context(Http2ConnectionHandler.class);
      if (http2 == null) {
        close();
        return;
      }
      Http2ConnectionHandler handler = (Http2ConnectionHandler) http2.handler();
      Http2Stream stream = handler.connection().stream(id);
      if (stream != null) {
        Http2Tracking.reset(http2, handler, stream, Http2Error.CANCEL);
      }
    }
  }
}
