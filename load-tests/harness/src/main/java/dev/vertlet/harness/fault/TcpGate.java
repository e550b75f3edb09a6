package dev.vertlet.harness.fault;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * TCP proxy in front of the relay: forwards bytes, or cuts, refuses and freezes connections. It
 * does not parse TLS or HTTP, so a frozen connection answers no ping either. Confined to one event
 * loop.
 */
final class TcpGate {
  private static final String HOST = "127.0.0.1";

  /** Number of checks, 1 ms apart, whether the port is closed. */
  private static final int CLOSING_LOOKS = 1_000;

  private final Vertx vertx;
  private final int port;
  private final TrafficLog log;
  private final NetClient client;

  /** Connections by the port from which the relay sees them. */
  private final Map<Integer, Wire> wires = new HashMap<>();

  /** Client connections that are not connected to the relay yet. */
  private final Set<NetSocket> connecting = new HashSet<>();

  /** Client connections that stay unanswered. */
  private final Set<NetSocket> abandoned = new HashSet<>();

  private int relayPort;
  private boolean frozen;
  private @Nullable Door door;

  /** Listener that is open or opening. */
  private record Door(NetServer server, Future<Void> open) {}

  TcpGate(Vertx vertx, int port, TrafficLog log) {
    this.vertx = vertx;
    this.port = port;
    this.log = log;
    this.client = vertx.createNetClient();
  }

  /** Accepts clients and forwards them to a port of the relay. */
  Future<Void> open(int toRelayPort) {
    relayPort = toRelayPort;
    return accept();
  }

  /** Starts to listen; does nothing when listening. */
  Future<Void> accept() {
    if (door != null) {
      return door.open();
    }
    NetServer server = vertx.createNetServer().connectHandler(this::connected);
    Door opening = new Door(server, server.listen(port, HOST).mapEmpty());
    door = opening;
    return opening.open().onFailure(refused -> forget(opening));
  }

  /** Forgets a listener that failed to open, so that the next {@link #accept} tries again. */
  private void forget(Door opening) {
    if (door == opening) {
      door = null;
    }
  }

  /** Cuts all connections and stops listening; completes when new connections are refused. */
  Future<Void> refuse() {
    cutAll();
    Door closing = door;
    door = null;
    return closing == null
        ? Future.succeededFuture()
        : closing.server().close().compose(closed -> untilRefused(CLOSING_LOOKS));
  }

  /**
   * Waits until the port refuses connections. The JDK closes the port when its selector runs next;
   * until then the kernel accepts connections for it, and no other server can listen.
   */
  private Future<Void> untilRefused(int looks) {
    return client
        .connect(port, HOST)
        .transform(
            attempt -> {
              if (attempt.failed()) {
                return Future.succeededFuture();
              }
              close(attempt.result());
              return looks == 0
                  ? Future.failedFuture("port " + port + " still takes connections after its close")
                  : vertx.timer(1).compose(later -> untilRefused(looks - 1));
            });
  }

  private void connected(NetSocket fromClient) {
    fromClient.pause();
    connecting.add(fromClient);
    fromClient.closeHandler(closed -> connecting.remove(fromClient));
    client
        .connect(relayPort, HOST)
        .onSuccess(toRelay -> join(fromClient, toRelay))
        .onFailure(relayGone -> close(fromClient));
  }

  private void join(NetSocket fromClient, NetSocket toRelay) {
    if (!connecting.remove(fromClient)) {
      close(toRelay); // the client has disconnected meanwhile, or was cut
      return;
    }
    toRelay.pause();
    Wire wire = new Wire(fromClient, toRelay);
    wires.put(wire.relaySidePort(), wire);
    wire.start();
  }

  /** Cuts the connection that the relay sees coming from a port. */
  void cut(int relaySidePort) {
    Wire wire = wires.get(relaySidePort);
    if (wire != null) {
      wire.cut();
    }
  }

  /** Cuts every connection; returns their number. */
  int cutAll() {
    List<Wire> all = List.copyOf(wires.values());
    all.forEach(Wire::cut);
    List.copyOf(abandoned).forEach(TcpGate::close);
    List.copyOf(connecting).forEach(TcpGate::close);
    abandoned.clear();
    connecting.clear();
    return all.size();
  }

  /** Stops all bytes, in both directions, on present and new connections. */
  void freeze() {
    frozen = true;
    wires.values().forEach(Wire::freeze);
  }

  /** Ends {@link #freeze} and delivers the held bytes. */
  void thaw() {
    frozen = false;
    wires.values().forEach(Wire::thaw);
  }

  /**
   * Leaves every present client with a connection that stays unanswered; new connections work.
   * Returns the number of connections.
   */
  int abandonAll() {
    List<Wire> all = List.copyOf(wires.values());
    all.forEach(Wire::abandon);
    return all.size();
  }

  /** Stops listening and closes all connections. */
  Future<Void> close() {
    return refuse().eventually(client::close);
  }

  private static void close(NetSocket socket) {
    socket.close().onFailure(Exchange::goneAlready);
  }

  /** A client's connection and its continuation to the relay. */
  private final class Wire {
    private final NetSocket clientSide;
    private final NetSocket relaySide;

    Wire(NetSocket clientSide, NetSocket relaySide) {
      this.clientSide = clientSide;
      this.relaySide = relaySide;
    }

    int relaySidePort() {
      return relaySide.localAddress().port();
    }

    void start() {
      clientSide.handler(
          bytes -> {
            log.sentToServer(bytes.length());
            pass(bytes, clientSide, relaySide);
          });
      relaySide.handler(
          bytes -> {
            log.sentToClient(bytes.length());
            pass(bytes, relaySide, clientSide);
          });
      clientSide.closeHandler(closed -> cut());
      relaySide.closeHandler(closed -> cut());
      thaw();
    }

    private void pass(Buffer bytes, NetSocket from, NetSocket to) {
      to.write(bytes).onFailure(gone -> cut());
      if (to.writeQueueFull()) {
        from.pause();
        to.drainHandler(
            drained -> {
              if (!frozen) {
                from.resume();
              }
            });
      }
    }

    void freeze() {
      clientSide.pause();
      relaySide.pause();
    }

    void thaw() {
      if (!frozen) {
        clientSide.resume();
        relaySide.resume();
      }
    }

    void cut() {
      if (wires.remove(relaySidePort(), this)) {
        close(clientSide);
        close(relaySide);
      }
    }

    void abandon() {
      if (wires.remove(relaySidePort(), this)) {
        clientSide.pause();
        clientSide.closeHandler(closed -> abandoned.remove(clientSide));
        abandoned.add(clientSide);
        close(relaySide);
      }
    }
  }
}
