package dev.vertlet.streaming;

import static dev.vertlet.testsupport.Waits.get;
import static dev.vertlet.testsupport.Waits.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.leaks.WatchesLeaks;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.streaming.session.StreamLimits;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@WatchesLeaks
class PortForwardingTest {
  private static final String PROTOCOL = "portforward.k8s.io";

  private final LinkedBlockingQueue<Integer> ports = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> served = new CompletableFuture<>();
  private volatile BiFunction<Integer, Connection, Future<Void>> connect = Echo::port;
  private volatile PortForwarding forwarding = new PortForwarding(StreamLimits.DEFAULT);
  private Vertx vertx;
  private int port;

  @BeforeEach
  void listen(Vertx vertx) throws Exception {
    this.vertx = vertx;
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> {
                  request.pause();
                  forwarding
                      .serve(
                          request,
                          (number, connection) -> {
                            ports.add(number);
                            return connect.apply(number, connection);
                          })
                      .onComplete(over -> served.complete(over.result()));
                });
    this.port = get(server.listen(0, "127.0.0.1")).actualPort();
  }

  private SpdyClient spdy() throws Exception {
    return SpdyClient.connect(vertx, port, "/portForward", PROTOCOL);
  }

  private WebSocketConnectOptions options(String query, String... protocols) {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(port)
        .setURI("/portForward" + query)
        .setSubProtocols(List.of(protocols));
  }

  private static int open(SpdyClient client, String type, String request) {
    return client.open(Map.of("streamType", type, "port", "80", "requestID", request));
  }

  @Test
  void echoesOverSpdyForEachPair() throws Exception {
    SpdyClient client = spdy();
    assertThat(client.answer).contains("X-Stream-Protocol-Version: portforward.k8s.io");
    for (int i = 0; i < 20; i++) {
      int error = open(client, "error", "" + i);
      client.data(error, "", true);
      int data = open(client, "data", "" + i);
      client.data(data, "ping " + i, true);
      assertThat(get(client.stream(data).all)).isEqualTo("ping " + i);
      assertThat(get(client.stream(error).all)).isEmpty();
    }
    assertThat(ports).hasSize(20).containsOnly(80);
    client.close();
    get(served);
  }

  @Test
  void pairsStreamsOfClientsThatNumberNothing() throws Exception {
    SpdyClient client = spdy();
    client.open(Map.of("streamType", "error", "port", "81"));
    int data = client.open(Map.of("streamType", "data", "port", "81"));
    client.data(data, "old", true);
    assertThat(get(client.stream(data).all)).isEqualTo("old");
    assertThat(take(ports)).isEqualTo(81);
  }

  @Test
  void resetsStreamsWithoutUsefulHeaders() throws Exception {
    SpdyClient client = spdy();
    int stream = client.open(Map.of("streamType", "data", "port", "0"));
    assertThatThrownBy(() -> get(client.stream(stream).replied)).hasMessageContaining("reset");
    int good = open(client, "data", "1");
    get(client.stream(good).replied);
  }

  @Test
  void tellsOfSecondStreamOfOneKind() throws Exception {
    SpdyClient client = spdy();
    int error = open(client, "error", "7");
    int twice = open(client, "error", "7");
    assertThatThrownBy(() -> get(client.stream(twice).all)).hasMessageContaining("reset");
    int data = open(client, "data", "7");
    client.data(data, "", true);
    assertThat(get(client.stream(error).all))
        .isEqualTo("error processing stream for request 7: error stream already assigned");
  }

  @Test
  void forgetsAStreamThatWasResetBeforeTheOtherCame() throws Exception {
    SpdyClient client = spdy();
    int first = open(client, "error", "7");
    client.send(new DefaultSpdyRstStreamFrame(first, SpdyStreamStatus.CANCEL));
    int error = open(client, "error", "7");
    int data = open(client, "data", "7");
    client.data(data, "all well", true);
    assertThat(get(client.stream(data).all)).isEqualTo("all well");
    assertThat(get(client.stream(error).all)).isEmpty();
  }

  @Test
  @Tag("2.3-portforward")
  void givesUpPairsThatStayAlone() throws Exception {
    forwarding = new PortForwarding(new StreamLimits(Duration.ofHours(1), Duration.ofMillis(50)));
    SpdyClient client = spdy();
    int error = open(client, "error", "9");
    assertThat(get(client.stream(error).all))
        .isEqualTo("(request=9) timed out waiting for streams");
    int data = open(client, "data", "10");
    assertThatThrownBy(() -> get(client.stream(data).all)).hasMessageContaining("reset");
  }

  @Test
  void showsWhyAPortCannotBeReached() throws Exception {
    connect = (number, connection) -> Future.failedFuture("nobody listens on " + number);
    SpdyClient client = spdy();
    int error = open(client, "error", "1");
    int data = open(client, "data", "1");
    assertThat(get(client.stream(error).all)).isEqualTo("nobody listens on 80");
    assertThatThrownBy(() -> get(client.stream(data).all)).hasMessageContaining("reset");
  }

  @Test
  void survivesAConnectThatThrows() throws Exception {
    connect =
        (number, connection) -> {
          throw new IllegalStateException("broken");
        };
    SpdyClient client = spdy();
    int error = open(client, "error", "1");
    open(client, "data", "1");
    assertThat(get(client.stream(error).all)).isEqualTo("broken");
  }

  @Test
  void tellsTheConnectionThatItsClientHasGone() throws Exception {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    connect =
        (number, connection) -> {
          connection.gone().onComplete(left -> gone.complete(null));
          return Future.future(never -> {});
        };
    SpdyClient client = spdy();
    open(client, "error", "1");
    int data = open(client, "data", "1");
    get(client.stream(data).replied);
    client.close();
    get(gone);
  }

  @Test
  void forwardsOverWebSocketChannels() throws Exception {
    Messages client = Messages.of(vertx, options("?port=80&port=8080,443", "v4.channel.k8s.io"));
    assertThat(List.of(client.next(), client.next(), client.next()))
        .contains("\u0000\u0050\u0000", "\u0001\u0050\u0000", "\u0002\u0090\u001f");
    for (int i = 0; i < 3; i++) {
      client.next();
    }
    client.send("\u0002hello");
    assertThat(client.next()).isEqualTo("\u0002hello");
  }

  @Test
  void forwardsOverBase64Channels() throws Exception {
    Messages client = Messages.of(vertx, options("?port=80", "v4.base64.channel.k8s.io"));
    assertThat(client.next()).isEqualTo("0UAA=");
    assertThat(client.next()).isEqualTo("1UAA=");
    client.sendText("0aGk=");
    assertThat(client.next()).isEqualTo("0aGk=");
  }

  @Test
  void closesChannelsWhenAllConnectionsAreOver() throws Exception {
    connect = (number, connection) -> Future.failedFuture("refused");
    Messages client = Messages.of(vertx, options("?port=80", "v4.channel.k8s.io"));
    client.next();
    client.next();
    assertThat(client.next()).isEqualTo("\u0001refused");
    assertThat(client.closeCode()).isEqualTo(1000);
  }

  @Test
  void answersBadPortsWith400() {
    assertThatThrownBy(() -> Messages.of(vertx, options("?port=abc", "v4.channel.k8s.io")))
        .isInstanceOfSatisfying(
            UpgradeRejectedException.class,
            e -> {
              assertThat(e.getStatus()).isEqualTo(400);
              assertThat(e.getBody().toString())
                  .isEqualTo(
                      "unable to parse \"abc\" as a port: strconv.ParseUint: parsing \"abc\":"
                          + " invalid syntax\n");
            });
  }

  @Test
  void tunnelsSpdyInWebSocket() throws Exception {
    SpdyClient client = SpdyClient.tunnel(vertx, options("", "SPDY/3.1+" + PROTOCOL));
    int error = open(client, "error", "1");
    int data = open(client, "data", "1");
    client.data(data, "through", true);
    assertThat(get(client.stream(data).all)).isEqualTo("through");
    assertThat(get(client.stream(error).all)).isEmpty();
    client.close();
    get(served);
  }
}
