package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocketHandshake;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** WebSockets of a back end. */
class ChannelsTest {
  private static final String TARGET = "/v1/pods/u/portforward?port=1";

  private final Vertx vertx = Vertx.vertx();

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
                    .webSocketHandler(this::talk)
                    .listen(0, "127.0.0.1"))
            .actualPort();
    return new BackendClient(
        vertx,
        Clock.systemUTC(),
        RemoteSettings.read(ProviderSettings.of(settings.put("url", "http://127.0.0.1:" + port))),
        new RemoteMeters(new SimpleMeterRegistry()));
  }

  /** Says something on channel 1, a text in two frames, and something on channel 2 in two. */
  private void talk(WebSocket socket) {
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

    WebSocket socket = Waits.get(client.socket("portforward", TARGET));
    assertThat(new Channels(socket, reader, ends::add)).isNotNull();
    socket.resume();

    Waits.eventually(() -> assertThat(ends).isNotEmpty());
    assertThat(String.join(", ", data)).isEqualTo("1 one, 2 tw, 2 o");
  }
}
