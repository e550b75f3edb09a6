package dev.vertlet.kubelet;

import dev.vertlet.meter.Metric;
import dev.vertlet.server.BrokenConnections;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of all listeners: at most so many, and none on which nothing was asked for a
 * while. A plain idle time-out would end quiet streams, too. Does not know of connections whose TLS
 * handshake is under way, which has a time-out of its own. Confined to the server's event loop.
 */
final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final long NANOS = 1_000_000_000L;

  private static final Metric REFUSED =
      Metric.counter(
          "vertlet_server_connections_refused_total",
          "connections",
          "closed because `server.maxConnections` were open");

  private final Map<HttpConnection, Use> open = new HashMap<>();
  private final Vertx vertx;
  private final int seconds;
  private final int most;
  private final Counter refused;
  private final LongSupplier nanos;
  private long timer = -1;

  /** Whoever floods the server must not flood its log. */
  private boolean told;

  private static final class Use {
    int requests;
    long since;
  }

  /**
   * @param limits how many there may be, and for how long one may be idle
   */
  Connections(Vertx vertx, ServerLimits limits, MeterRegistry metrics, LongSupplier nanos) {
    this.vertx = vertx;
    this.seconds = limits.keepAliveSeconds();
    this.most = limits.connections();
    this.refused = REFUSED.counter(metrics);
    this.nanos = nanos;
  }

  void start() {
    timer = vertx.setPeriodic(Math.max(1, seconds * 1000L / 3), id -> sweep());
  }

  void stop() {
    vertx.cancelTimer(timer);
  }

  /** A client has connected; one too many is closed at once. */
  void opened(HttpConnection connection) {
    BrokenConnections.hear(connection);
    if (open.size() >= most) {
      refuse(connection);
      return;
    }
    Use use = new Use();
    use.since = nanos.getAsLong();
    open.put(connection, use);
    connection.closeHandler(v -> open.remove(connection));
  }

  private void refuse(HttpConnection connection) {
    refused.increment();
    if (!told) {
      told = true;
      LOG.atWarn()
          .addKeyValue("maxConnections", most)
          .log("the kubelets' API has all the connections it may; further ones are closed");
    }
    connection.close();
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

  private void sweep() {
    told &= open.size() >= most;
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
