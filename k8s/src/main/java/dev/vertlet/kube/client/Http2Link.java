package dev.vertlet.kube.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/2 connection, opened by the first request and reopened after a loss. All requests that
 * wait for the same connection attempt share its outcome, so a dead server fails all of them at
 * once.
 *
 * <p>A ping every {@code pingInterval} detects a half-open connection: an unanswered ping closes
 * the connection, which fails every stream on it. GOAWAY retires the connection: running streams
 * may end, and new requests open a new connection.
 */
final class Http2Link implements Link {
  private static final Logger LOG = LoggerFactory.getLogger(Http2Link.class);

  /**
   * The failure of an attempt is kept for this long: 5 attempts per second however many requests
   * fail.
   */
  private static final long RETRY_PAUSE_MILLIS = 200;

  private static final int PING_BYTES = 8;

  private final Vertx vertx;
  private final Supplier<Future<HttpClientConnection>> connector;
  private final Duration connectTimeout;
  private final Duration pingInterval;
  private final int limit;
  private final Link fallback;
  private boolean fallenBack;
  private @Nullable Future<HttpClientConnection> current;
  private int capacity;
  private boolean closed;

  /**
   * Creates a link without a connection.
   *
   * @param connector opens a connection on the current context
   * @param limit maximum number of streams, also if the server allows more
   * @param fallback for a server, or an intermediate proxy, that turns out to support only HTTP/1.1
   */
  Http2Link(
      Vertx vertx,
      Supplier<Future<HttpClientConnection>> connector,
      KubeClientOptions options,
      int limit,
      Link fallback) {
    this.vertx = vertx;
    this.connector = connector;
    this.connectTimeout = options.timeouts().connect();
    this.pingInterval = options.timeouts().ping();
    this.limit = limit;
    this.fallback = fallback;
    this.capacity = limit;
  }

  @Override
  public Future<HttpClientRequest> open(RequestOptions options) {
    if (fallenBack) {
      return fallback.open(options);
    }
    return connection()
        .compose(connection -> fallenBack ? fallback.open(options) : connection.request(options));
  }

  @Override
  public int capacity() {
    return fallenBack ? fallback.capacity() : capacity;
  }

  /** Returns the connection; opens one if there is none. */
  Future<HttpClientConnection> connection() {
    Future<HttpClientConnection> existing = current;
    if (existing != null) {
      return existing;
    }
    if (closed) {
      return Future.failedFuture("the client is closed");
    }
    Future<HttpClientConnection> attempt = connector.get();
    Future<HttpClientConnection> opening =
        attempt
            .timeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
            .recover(e -> Future.failedFuture(e instanceof TimeoutException ? tooSlow() : e));
    current = opening;
    opening
        .onSuccess(connection -> opened(opening, connection))
        .onFailure(
            e -> {
              attempt.onSuccess(late -> discard(late));
              vertx.setTimer(RETRY_PAUSE_MILLIS, id -> forget(opening));
            });
    return opening;
  }

  private void opened(Future<HttpClientConnection> opening, HttpClientConnection connection) {
    if (closed) {
      discard(connection);
      return;
    }
    if (connection.maxActiveStreams() <= 1) {
      LOG.info(
          "The API server speaks HTTP/1.1 only: using up to {} connections", fallback.capacity());
      fallenBack = true;
      discard(connection);
      return;
    }
    FlushCoalescer.install(connection);
    capacity = (int) Math.min(limit, connection.maxActiveStreams());
    connection.closeHandler(v -> forget(opening));
    connection.goAwayHandler(
        v -> {
          LOG.debug("The API server retires the connection (GOAWAY)");
          forget(opening);
        });
    connection.exceptionHandler(
        e -> {
          LOG.debug("Connection error: {}", e.toString());
          forget(opening);
        });
    schedulePing(opening, connection);
  }

  private TimeoutException tooSlow() {
    return new TimeoutException("no connection within " + connectTimeout.toMillis() + " ms");
  }

  private void forget(Future<HttpClientConnection> opening) {
    if (current == opening) {
      current = null;
    }
  }

  private void schedulePing(Future<HttpClientConnection> opening, HttpClientConnection connection) {
    vertx.setTimer(
        pingInterval.toMillis(),
        id -> {
          if (current == opening || connection.activeStreams() > 0) {
            ping(opening, connection);
          } else {
            discard(connection); // retired and drained
          }
        });
  }

  private void ping(Future<HttpClientConnection> opening, HttpClientConnection connection) {
    connection
        .ping(Buffer.buffer(new byte[PING_BYTES]))
        .timeout(pingInterval.toMillis(), TimeUnit.MILLISECONDS)
        .onSuccess(pong -> schedulePing(opening, connection))
        .onFailure(
            e -> {
              forget(opening);
              discard(connection);
            });
  }

  private static void discard(HttpClientConnection connection) {
    connection.close().onFailure(e -> LOG.debug("Closing a connection: {}", e.toString()));
  }

  @Override
  public void renew() {
    current = null; // the ping timer closes the old connection once it has drained
  }

  @Override
  public Future<Void> close() {
    closed = true;
    Future<HttpClientConnection> last = current;
    current = null;
    Future<Void> gone =
        last == null
            ? Future.succeededFuture()
            : last.compose(HttpClientConnection::close).otherwiseEmpty();
    return gone.eventually(fallback::close);
  }
}
