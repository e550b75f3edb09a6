package dev.vertlet.apiserver.contract;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A client's connection to an API server, for what no HTTP client says. Used on the JUnit thread;
 * what arrives is collected on the client's loop.
 */
final class RawConnection implements AutoCloseable {
  /** Held: Vert.x closes a client that nobody refers to, and its connections with it. */
  private final NetClient client;

  private final NetSocket socket;
  private final String head;
  private final StringBuffer received = new StringBuffer();
  private volatile boolean ended;

  private RawConnection(NetClient client, NetSocket socket, String head) {
    this.client = client;
    this.socket = socket;
    this.head = head;
  }

  static RawConnection open(Vertx vertx, URI url, String token) {
    boolean tls = url.getScheme().equals("https");
    NetClientOptions options = new NetClientOptions();
    if (tls) {
      options.setSsl(true).setTrustAll(true).setHostnameVerificationAlgorithm("");
    }
    String head =
        "Host: %s\r\n%s"
            .formatted(
                url.getAuthority(),
                token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n");
    NetClient client = vertx.createNetClient(options);
    return Waits.get(
        client
            .connect(url.getPort(), url.getHost())
            .map(socket -> new RawConnection(client, socket, head).listening()));
  }

  private RawConnection listening() {
    socket.handler(bytes -> received.append(bytes.toString(StandardCharsets.ISO_8859_1)));
    socket.closeHandler(closed -> ended = true);
    return this;
  }

  /** Sends the head of a request: the first line and headers of its own. */
  RawConnection request(String line, String... headers) {
    List<String> more = List.of(headers);
    return send(
        line
            + " HTTP/1.1\r\n"
            + head
            + String.join("", more.stream().map(header -> header + "\r\n").toList())
            + "\r\n");
  }

  RawConnection send(String text) {
    // a server may answer and close before it has read everything
    socket
        .write(Buffer.buffer(text, StandardCharsets.ISO_8859_1.name()))
        .onFailure(e -> ended = true);
    return this;
  }

  /** Waits until what arrived contains this. Returns all that arrived so far. */
  String until(String text) {
    Awaitility.await(text).until(received::toString, all -> all.contains(text));
    return received.toString();
  }

  /** From now on what arrives stays where it is. */
  void stopReading() {
    socket.pause();
  }

  /** Waits for the server to close the connection, or to end its answer so. */
  String untilClosedOr(String end) {
    Awaitility.await("the end of the answer")
        .until(() -> ended || received.toString().endsWith(end));
    return received.toString();
  }

  /** Waits for the server to close the connection. Returns all that arrived. */
  String untilClosed() {
    Awaitility.await("the end of the connection").until(() -> ended);
    return received.toString();
  }

  @Override
  public void close() {
    Waits.get(socket.close().otherwiseEmpty());
    Waits.get(client.close());
  }
}
