package dev.vertlet.kube.client;

import static dev.vertlet.testsupport.Waits.get;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between client and server: an HTTP CONNECT proxy, or a line that can go dead. */
public final class TcpProxy {
  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_AT = 3;
  private static final byte APPLICATION_DATA = 23;

  /** Held: Vert.x closes a client that nobody refers to, and its connections with it. */
  private final NetClient upstreams;

  private final List<String> targets = new CopyOnWriteArrayList<>();
  private NetServer server;
  private volatile boolean frozen; // set by the test thread, read by event loops
  private final AtomicInteger tlsRecords = new AtomicInteger();

  private TcpProxy(Vertx vertx) {
    this.upstreams = vertx.createNetClient();
    this.server = vertx.createNetServer();
  }

  /** Forwards everything to one port of this machine. */
  public static TcpProxy to(Vertx vertx, int port) throws Exception {
    TcpProxy proxy = new TcpProxy(vertx);
    proxy.server =
        get(
            proxy
                .server
                .connectHandler(socket -> proxy.pipe(socket, "127.0.0.1", port, ""))
                .listen(0, "127.0.0.1"));
    return proxy;
  }

  /** Forwards to where CONNECT says. */
  static TcpProxy connect(Vertx vertx) throws Exception {
    return connect(vertx, "");
  }

  /**
   * @param authorization which Proxy-Authorization must be, empty for anything
   */
  static TcpProxy connect(Vertx vertx, String authorization) throws Exception {
    TcpProxy proxy = new TcpProxy(vertx);
    proxy.server =
        get(
            proxy
                .server
                .connectHandler(
                    socket ->
                        socket.handler(request -> proxy.accept(socket, request, authorization)))
                .listen(0, "127.0.0.1"));
    return proxy;
  }

  public int port() {
    return server.actualPort();
  }

  List<String> targets() {
    return targets;
  }

  /** How many TLS records with application data clients have sent. */
  int tlsRecords() {
    return tlsRecords.get();
  }

  /** Swallows all bytes in both directions and keeps the connections. */
  public void freeze() {
    frozen = true;
  }

  /** Lets new bytes pass; what was swallowed is gone, so old connections stay useless. */
  public void thaw() {
    frozen = false;
  }

  private void accept(NetSocket socket, Buffer request, String authorization) {
    String wanted = "proxy-authorization: " + authorization + "\r\n";
    if (!authorization.isEmpty() && !request.toString().contains(wanted)) {
      socket.end(Buffer.buffer("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"));
      return;
    }
    String target = request.toString().split(" ", 3)[1];
    targets.add(target);
    int colon = target.lastIndexOf(':');
    pipe(
        socket,
        target.substring(0, colon),
        Integer.parseInt(target.substring(colon + 1)),
        "HTTP/1.1 200 Connection established\r\n\r\n");
  }

  private void pipe(NetSocket client, String host, int port, String greeting) {
    client.pause();
    upstreams
        .connect(port, host)
        .onSuccess(
            upstream -> {
              RecordParser records = countTlsRecords();
              forward(client, upstream, records::handle);
              forward(upstream, client, bytes -> {});
              if (!greeting.isEmpty()) {
                client.write(greeting);
              }
              client.resume();
            })
        .onFailure(e -> client.close());
  }

  private void forward(NetSocket from, NetSocket to, Handler<Buffer> tap) {
    from.handler(
        bytes -> {
          tap.handle(bytes);
          if (!frozen) {
            to.write(bytes);
          }
        });
    from.closeHandler(v -> to.close());
  }

  /** A record is a type, two bytes of version, two of length, and so many bytes. */
  private RecordParser countTlsRecords() {
    RecordParser parser = RecordParser.newFixed(HEADER_BYTES);
    boolean[] inBody = {false};
    parser.handler(
        bytes -> {
          if (!inBody[0] && bytes.getByte(0) == APPLICATION_DATA) {
            tlsRecords.incrementAndGet();
          }
          inBody[0] = !inBody[0];
          parser.fixedSizeMode(
              inBody[0] ? Math.max(1, bytes.getUnsignedShort(LENGTH_AT)) : HEADER_BYTES);
        });
    return parser;
  }
}
