package dev.vertlet.streaming;

import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.streaming.session.ChannelSession;
import dev.vertlet.streaming.session.SpdySession;
import dev.vertlet.streaming.session.StreamLimits;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code exec} and {@code attach}: the streams of a command over a WebSocket, {@code
 * v5.channel.k8s.io} and before, or over SPDY/3.1.
 */
public final class RemoteCommands {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCommands.class);

  private static final int IN = 0;
  private static final int OUT = 1;
  private static final int ERR = 2;
  private static final int ERROR = 3;
  private static final int RESIZE = 4;
  private static final int CHANNELS = 5;

  private final StreamLimits limits;

  public RemoteCommands(StreamLimits limits) {
    this.limits = limits;
  }

  /**
   * Upgrades the request and runs the command. The request's body must be unread. A request that
   * cannot be upgraded is answered with 400, 403, 405 or 500. Call it on the request's context.
   *
   * @param run starts the command on the request's event loop once the client's streams are open.
   *     The client receives its result: the exit code, 0 for an attach session, or a failure's
   *     message after {@code Internal error occurred: }
   * @return completes when the client has left or could not be served; never fails. The command may
   *     still run then, with {@link ContainerIo#gone} completed
   */
  public Future<Void> serve(
      HttpServerRequest request, StreamsAsked asked, Function<ContainerIo, Future<Integer>> run) {
    Upgrade upgrade =
        request.version() == HttpVersion.HTTP_1_1
            ? Negotiation.command(request.method(), request.headers())
            : Upgrade.Refused.NO_UPGRADE;
    Future<Void> served;
    if (upgrade instanceof Upgrade.Channels channels) {
      served = channels(request, channels, asked, run);
    } else if (upgrade instanceof Upgrade.Spdy spdy) {
      served = spdy(request, spdy, asked, run);
    } else {
      ((Upgrade.Refused) upgrade).answer(request);
      served = Future.succeededFuture();
    }
    return served.recover(
        failure -> {
          LOG.debug("connection of a command cannot be taken over", failure);
          return Future.succeededFuture();
        });
  }

  private Future<Void> channels(
      HttpServerRequest request,
      Upgrade.Channels upgrade,
      StreamsAsked asked,
      Function<ContainerIo, Future<Integer>> run) {
    boolean closes = upgrade.protocol().startsWith("v5.");
    boolean structured = closes || upgrade.protocol().startsWith("v4.");
    return Takeover.webSocket(
            request,
            upgrade.headers(),
            handlers -> new ChannelSession(handlers, limits, upgrade.framing(), closes, CHANNELS))
        .compose(
            session -> {
              // tells the client that the session has started before the first byte of output
              session.greet(asked.stdout() ? OUT : asked.stderr() ? ERR : ERROR);
              new CommandRun(session, io(session, asked), session.outlet(ERROR), structured)
                  .start(run);
              return session.over();
            });
  }

  private static RemoteIo io(ChannelSession session, StreamsAsked asked) {
    Resizes resizes = new Resizes(session.handlers);
    session.reader(
        RESIZE,
        new ChannelSession.Reader() {
          @Override
          public void data(ByteBuf bytes) {
            resizes.add(bytes);
          }

          @Override
          public void end() {}
        });
    return new RemoteIo(
        session.tasks(),
        asked.stdin() ? session.inlet(IN) : null,
        asked.stdout() ? session.outlet(OUT) : null,
        asked.stderr() ? session.outlet(ERR) : null,
        resizes,
        session.over());
  }

  private Future<Void> spdy(
      HttpServerRequest request,
      Upgrade.Spdy upgrade,
      StreamsAsked asked,
      Function<ContainerIo, Future<Integer>> run) {
    // the names count down to version 1, whose name has no number
    int version =
        Negotiation.COMMAND_STREAMS.size()
            - Negotiation.COMMAND_STREAMS.indexOf(upgrade.protocol());
    SpdyCommand command = new SpdyCommand(version, asked, limits, run);
    return Takeover.spdy(
            request, upgrade.headers(), handlers -> new SpdySession(handlers, limits, command))
        .compose(
            session -> {
              command.begin(session);
              return session.over();
            });
  }
}
