package dev.vertlet.remote.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.remote.client.BackendClient;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocketHandshake;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** WebSockets of a back end. */
class ChannelsTest {
  private static final String TARGET = "/v1/pods/u/portforward?port=1";
  private static final Buffer SECOND = Buffer.buffer("second");

  private final Vertx vertx = Vertx.vertx();
  private Consumer<WebSocket> backend = ChannelsTest::talk;

  @TempDir Path directory;

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private BackendClient client(Consumer<ServerWebSocketHandshake> server, JsonObject settings) {
    HttpServerOptions options =
        new HttpServerOptions().addWebSocketSubProtocol(BackendClient.CHANNELS);
    int port =
        Waits.get(
                vertx
                    .createHttpServer(options)
                    .webSocketHandshakeHandler(server::accept)
                    .webSocketHandler(socket -> backend.accept(socket))
                    .listen(0, "127.0.0.1"))
            .actualPort();
    return new BackendClient(
        vertx,
        Clock.systemUTC(),
        RemoteSettings.read(ProviderSettings.of(settings.put("url", "http://127.0.0.1:" + port))),
        new RemoteMeters(new SimpleMeterRegistry()));
  }

  /** Says something on channel 1, a text in two frames, and something on channel 2 in two. */
  private static void talk(WebSocket socket) {
    socket.writeBinaryMessage(Buffer.buffer("\u0001one"));
    socket.writeFrame(WebSocketFrame.textFrame("\u0001text", false));
    socket.writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer("\u0001more"), true));
    socket.writeFrame(WebSocketFrame.binaryFrame(Buffer.buffer("\u0002tw"), false));
    socket.writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer("o"), true));
    var unused = socket.close();
  }

  @Test
  void textMessagesAreIgnoredWithTheirContinuations() {
    List<String> data = new CopyOnWriteArrayList<>();
    List<String> ends = new CopyOnWriteArrayList<>();
    BackendClient client = client(ServerWebSocketHandshake::accept, new JsonObject());
    Channels.Reader reader =
        new Channels.Reader() {
          @Override
          public void data(int channel, Buffer bytes) {
            data.add(channel + " " + bytes);
          }

          @Override
          public void closed(int channel) {}
        };

    var session =
        client
            .socket("portforward", TARGET)
            .map(
                socket -> {
                  Channels channels = new Channels(socket, reader, ends::add);
                  socket.resume();
                  return channels;
                });

    assertThat(Waits.get(session)).isNotNull();
    Waits.eventually(() -> assertThat(ends).isNotEmpty());
    assertThat(String.join(", ", data)).isEqualTo("1 one, 2 tw, 2 o");
  }

  @Test
  void aFullClientGetsWhatWasSentBeforeTheClose() {
    List<String> data = new CopyOnWriteArrayList<>();
    List<String> ends = new CopyOnWriteArrayList<>();
    Promise<WebSocket> opened = Promise.promise();
    Promise<WebSocket> accepted = Promise.promise();
    Promise<Void> closed = Promise.promise();
    backend =
        socket -> {
          socket.closeHandler(v -> closed.complete());
          socket.writeBinaryMessage(Buffer.buffer("\u0001one"));
          accepted.complete(socket);
        };
    BackendClient client = client(ServerWebSocketHandshake::accept, new JsonObject());
    Future<WebSocket> session =
        client
            .socket("portforward", TARGET)
            .onSuccess(
                socket -> {
                  Channels.Reader reader =
                      new Channels.Reader() {
                        @Override
                        public void data(int channel, Buffer bytes) {
                          data.add(channel + " " + bytes);
                          socket.pause();
                          opened.tryComplete(socket);
                        }

                        @Override
                        public void closed(int channel) {}
                      };
                  assertThat(new Channels(socket, reader, ends::add)).isNotNull();
                  socket.resume();
                });
    WebSocket paused = Waits.get(opened.future());
    WebSocket server = Waits.get(accepted.future());

    server.writeBinaryMessage(Buffer.buffer("\u0001two"));
    Waits.get(server.close());
    Waits.get(closed.future());

    assertThat(session).isNotNull();
    assertThat(ends).isEmpty();
    paused.resume();
    Waits.eventually(() -> assertThat(data).containsExactly("1 one", "1 two"));
    paused.resume();
    Waits.eventually(() -> assertThat(ends).containsExactly(""));
  }

  @Test
  void aReplacedTokenIsReadAgainAndTheUpgradeRepeatedOnce() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "first");
    List<String> sent = new CopyOnWriteArrayList<>();
    BackendClient client =
        client(
            handshake -> {
              String header = handshake.headers().get("Authorization");
              sent.add(header);
              if (header.equals("Bearer first") && sent.size() == 1) {
                var replaced = vertx.fileSystem().writeFileBlocking(token.toString(), SECOND);
                assertThat(replaced).isNotNull();
                handshake.reject(401);
              } else {
                handshake.accept();
              }
            },
            new JsonObject().put("tokenFile", token.toString()));

    assertThat(Waits.get(client.socket("portforward", TARGET))).isNotNull();
    assertThat(sent).containsExactly("Bearer first", "Bearer second");
  }

  @Test
  void anUpgradeThatIsRefusedTwiceHasFailed() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "first");
    List<String> sent = new CopyOnWriteArrayList<>();
    BackendClient client =
        client(
            handshake -> {
              sent.add(handshake.headers().get("Authorization"));
              handshake.reject(401);
            },
            new JsonObject().put("tokenFile", token.toString()));

    Throwable failure =
        Waits.get(
            client
                .socket("portforward", TARGET)
                .transform(done -> Future.succeededFuture(done.cause())));

    assertThat(failure).hasMessage("GET /v1/pods/u/portforward: 401");
    assertThat(sent).hasSize(2);
  }
}
