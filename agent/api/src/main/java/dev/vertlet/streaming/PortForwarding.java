package dev.vertlet.streaming;

import dev.vertlet.provider.stream.Connection;
import dev.vertlet.streaming.session.ChannelSession;
import dev.vertlet.streaming.session.SpdySession;
import dev.vertlet.streaming.session.StreamLimits;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code portforward}: connections to a pod's ports over SPDY/3.1, over SPDY in a WebSocket,
 * or over WebSocket channels, which carry one connection per {@code port} query parameter.
 */
public final class PortForwarding {
  private static final Logger LOG = LoggerFactory.getLogger(PortForwarding.class);

  /**
   * Most ports: each has two channels, whose numbers must fit in a byte and, as a text digit, stay
   * below 208.
   */
  static final int MOST_PORTS = 100;

  private final StreamLimits limits;

  public PortForwarding(StreamLimits limits) {
    this.limits = limits;
  }

  /**
   * Upgrades the request and forwards connections until the client leaves. The request's body must
   * be unread. A request that cannot be upgraded, or whose ports are invalid, is answered with 400,
   * 403, 405 or 500. Call it on the request's context.
   *
   * @param connect connects to a port, 1 to 65535, on the request's event loop. Its Future
   *     completes when the connection has ended; the client receives a failure's message unchanged
   * @return completes when the client has left or could not be served; never fails
   */
  public Future<Void> serve(
      HttpServerRequest request, BiFunction<Integer, Connection, Future<Void>> connect) {
    Connector connector = new Connector(connect);
    Upgrade upgrade =
        request.version() == HttpVersion.HTTP_1_1
            ? Negotiation.ports(request.method(), request.headers())
            : Upgrade.Refused.NO_UPGRADE;
    Future<Void> served;
    if (upgrade instanceof Upgrade.Channels channels) {
      served = channels(request, channels, connector);
    } else if (upgrade instanceof Upgrade.Refused refused) {
      refused.answer(request);
      served = Future.succeededFuture();
    } else {
      served = spdy(request, upgrade, connector);
    }
    return served.recover(
        failure -> {
          LOG.debug("port-forward connection cannot be taken over", failure);
          return Future.succeededFuture();
        });
  }

  private Future<Void> spdy(HttpServerRequest request, Upgrade upgrade, Connector connector) {
    SpdyForwarding forwarding = new SpdyForwarding(limits, connector);
    Future<SpdySession> taken =
        upgrade instanceof Upgrade.Tunnel tunnel
            ? Takeover.tunnel(
                request,
                tunnel.headers(),
                handlers -> new SpdySession(handlers, limits, forwarding))
            : Takeover.spdy(
                request,
                ((Upgrade.Spdy) upgrade).headers(),
                handlers -> new SpdySession(handlers, limits, forwarding));
    return taken.compose(
        session -> {
          forwarding.begin(session);
          return session.over();
        });
  }

  private Future<Void> channels(
      HttpServerRequest request, Upgrade.Channels upgrade, Connector connector) {
    ForwardedPorts.Read read = ForwardedPorts.query(request.params().getAll("port"), MOST_PORTS);
    if (read.complaint() != null) {
      new Upgrade.Refused(400, read.complaint()).answer(request);
      return Future.succeededFuture();
    }
    List<Integer> ports = read.ports();
    return Takeover.webSocket(
            request,
            upgrade.headers(),
            handlers ->
                new ChannelSession(handlers, limits, upgrade.framing(), false, 2 * ports.size()))
        .compose(
            session -> {
              new ChannelForwarding(session, connector).start(ports);
              return session.over();
            });
  }
}
