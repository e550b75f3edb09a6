package dev.vertlet.apiserver.contract;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SelfSignedCertificate;
import io.vertx.core.net.TrustOptions;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.awaitility.Awaitility;

/**
 * The far end of what an API server passes on: it writes down requests as they come and answers as
 * the test says, byte by byte.
 */
final class FakeKubelet implements AutoCloseable {
  private static final String END_OF_HEAD = "\r\n\r\n";

  /**
   * A request as it came.
   *
   * @param line method, path and query
   * @param headers lines with names in lower case
   * @param identity subject of the client's certificate, empty when it showed none
   */
  record Request(String line, List<String> headers, String identity) {
    boolean has(String header) {
      return headers.contains(header);
    }

    boolean names(String header) {
      return headers.stream().anyMatch(line -> line.startsWith(header + ": "));
    }
  }

  private final NetServer server;
  private final BiConsumer<NetSocket, Request> script;
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final Queue<NetSocket> open = new ConcurrentLinkedQueue<>();

  private FakeKubelet(NetServer server, BiConsumer<NetSocket, Request> script) {
    this.server = server;
    this.script = script;
  }

  /** A kubelet with TLS that asks for a certificate and takes any. */
  static FakeKubelet start(Vertx vertx, String host, BiConsumer<NetSocket, Request> script) {
    return start(
        vertx,
        host,
        new NetServerOptions()
            .setSsl(true)
            .setKeyCertOptions(SelfSignedCertificate.create().keyCertOptions())
            .setTrustOptions(TrustOptions.wrap(new AnyClient()))
            .setClientAuth(ClientAuth.REQUEST),
        script);
  }

  /** Something else that listens, without TLS. */
  static FakeKubelet plain(Vertx vertx, String host, BiConsumer<NetSocket, Request> script) {
    return start(vertx, host, new NetServerOptions(), script);
  }

  private static FakeKubelet start(
      Vertx vertx, String host, NetServerOptions options, BiConsumer<NetSocket, Request> script) {
    FakeKubelet kubelet = new FakeKubelet(vertx.createNetServer(options), script);
    Waits.get(kubelet.server.connectHandler(kubelet::connected).listen(0, host));
    return kubelet;
  }

  /** Answers with a whole body and closes the connection. */
  static BiConsumer<NetSocket, Request> answer(String status, String body, String... headers) {
    String head = String.join("", List.of(headers).stream().map(line -> line + "\r\n").toList());
    return (socket, request) ->
        socket.end(
            Buffer.buffer(
                "HTTP/1.1 %s\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                    .formatted(status, head, body.length(), body)));
  }

  /** Switches protocols and greets in one packet, then says everything back in capitals. */
  static BiConsumer<NetSocket, Request> echo(String protocol) {
    return (socket, request) -> {
      socket.handler(
          bytes -> {
            String text = bytes.toString(StandardCharsets.ISO_8859_1);
            if (text.equals("bye")) {
              socket.end(Buffer.buffer("farewell"));
            } else {
              socket.write(text.toUpperCase(Locale.ROOT));
            }
          });
      socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: %s\r\nConnection: Upgrade\r\nX-Own: 1\r\n\r\nhello;"
              .formatted(protocol));
    };
  }

  int port() {
    return server.actualPort();
  }

  private void connected(NetSocket socket) {
    open.add(socket);
    socket.closeHandler(closed -> open.remove(socket));
    Buffer head = Buffer.buffer();
    socket.handler(
        bytes -> {
          head.appendBuffer(bytes);
          String text = head.toString(StandardCharsets.ISO_8859_1);
          int end = text.indexOf(END_OF_HEAD);
          if (end >= 0) {
            socket.handler(more -> {});
            Request request = request(text.substring(0, end), identity(socket));
            requests.add(request);
            script.accept(socket, request);
          }
        });
  }

  private static Request request(String head, String identity) {
    List<String> lines = new ArrayList<>();
    head.lines()
        .skip(1)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              lines.add(line.substring(0, colon).toLowerCase(Locale.ROOT) + line.substring(colon));
            });
    return new Request(head.lines().findFirst().orElseThrow(), lines, identity);
  }

  private static String identity(NetSocket socket) {
    try {
      return socket.isSsl()
          ? ((X509Certificate) socket.sslSession().getPeerCertificates()[0])
              .getSubjectX500Principal()
              .getName()
          : "";
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }

  /** The only request that came. */
  Request request() {
    Awaitility.await("a request at the kubelet").until(() -> !requests.isEmpty());
    if (requests.size() > 1) {
      throw new AssertionError("more than one request came: " + requests);
    }
    return requests.remove();
  }

  /** Whether any request came that nobody has taken by {@link #request}. */
  boolean wasAsked() {
    return !requests.isEmpty();
  }

  /** Waits until nobody is connected. */
  void untilLeft() {
    Awaitility.await("the end of connections to the kubelet").until(open::isEmpty);
  }

  /** The only connection. */
  NetSocket connection() {
    return open.element();
  }

  @Override
  public void close() {
    Waits.get(server.close());
  }
}
