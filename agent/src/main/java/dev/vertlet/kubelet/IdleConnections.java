package dev.vertlet.kubelet;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Closes connections on which nothing was asked for a while. A plain idle time-out would end quiet
 * streams, too. Confined to the server's event loop.
 */
final class IdleConnections {
  private static final long NANOS = 1_000_000_000L;

  private final Map<HttpConnection, Use> open = new HashMap<>();
  private final Vertx vertx;
  private final int seconds;
  private final LongSupplier nanos;
  private long timer = -1;

  private static final class Use {
    int requests;
    long since;
  }

  /**
   * @param seconds how long one may be idle
   */
  IdleConnections(Vertx vertx, int seconds, LongSupplier nanos) {
    this.vertx = vertx;
    this.seconds = seconds;
    this.nanos = nanos;
  }

  void start() {
    timer = vertx.setPeriodic(Math.max(1, seconds * 1000L / 3), id -> sweep());
  }

  void stop() {
    vertx.cancelTimer(timer);
  }

  /** A client has connected. */
  void opened(HttpConnection connection) {
    Use use = new Use();
    use.since = nanos.getAsLong();
    open.put(connection, use);
    connection.closeHandler(v -> open.remove(connection));
  }

  void began(HttpConnection connection) {
    Use use = open.get(connection);
    if (use != null) {
      use.requests++;
    }
  }

  void ended(HttpConnection connection) {
    Use use = open.get(connection);
    if (use != null) {
      use.requests--;
      use.since = nanos.getAsLong();
    }
  }

  int size() {
    return open.size();
  }

  private void sweep() {
    long now = nanos.getAsLong();
    List<HttpConnection> idle =
        open.entrySet().stream()
            .filter(e -> e.getValue().requests == 0)
            .filter(e -> now - e.getValue().since >= seconds * NANOS)
            .map(Map.Entry::getKey)
            .toList();
    idle.forEach(connection -> connection.close());
  }
}
