package dev.vertlet.streaming;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.ContainerIo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class RemoteCommandsTest {
  private static final StreamsAsked ALL = new StreamsAsked(true, true, true, false);

  private Vertx vertx;
  private int port;
  private volatile StreamsAsked asked = ALL;
  private volatile Function<ContainerIo, Future<Integer>> command = Echo::command;
  private volatile RemoteCommands commands;
  private final LinkedBlockingQueue<String> served = new LinkedBlockingQueue<>();

  @BeforeEach
  void listen(Vertx vertx) throws Exception {
    this.vertx = vertx;
    this.commands = new RemoteCommands(vertx, StreamLimits.DEFAULT);
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> {
                  request.pause();
                  commands
                      .serve(request, asked, io -> command.apply(io))
                      .onComplete(over -> served.add(over.succeeded() ? "over" : "failed"));
                });
    this.port = server.listen(0, "127.0.0.1").await(5, SECONDS).actualPort();
  }

  private Messages webSocket(String... protocols) throws Exception {
    WebSocketConnectOptions options =
        new WebSocketConnectOptions().setHost("127.0.0.1").setPort(port).setURI("/exec");
    if (protocols.length > 0) {
      options.setSubProtocols(List.of(protocols));
    }
    return Messages.of(vertx, options);
  }

  @Test
  void echoesOverTheNewestWebSocket() throws Exception {
    Messages client = webSocket("v5.channel.k8s.io", "v4.channel.k8s.io");
    assertThat(client.subProtocol()).isEqualTo("v5.channel.k8s.io");
    assertThat(client.next()).isEqualTo("\u0001");
    client.send("\u0000hello");
    assertThat(client.next()).isEqualTo("\u0001hello");
    client.send(new byte[] {(byte) 255, 0});
    assertThat(client.next()).isEqualTo("\u0003{\"metadata\":{},\"status\":\"Success\"}");
    assertThat(client.closeCode()).isEqualTo(1000);
    assertThat(served.poll(5, SECONDS)).isEqualTo("over");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v5.channel.k8s.io",
        "v4.channel.k8s.io",
        "v3.channel.k8s.io",
        "v2.channel.k8s.io"
      })
  void echoesOverSpdy(String version) throws Exception {
    SpdyClient client = SpdyClient.connect(vertx, port, "/exec", version);
    int error = client.open("error");
    int in = client.open("stdin");
    int out = client.open("stdout");
    int err = client.open("stderr");
    client.data(in, "hello", false);
    client.data(in, " world", true);
    assertThat(client.stream(out).all.get(5, SECONDS)).isEqualTo("hello world");
    assertThat(client.stream(err).all.get(5, SECONDS)).isEmpty();
    boolean structured = version.startsWith("v5") || version.startsWith("v4");
    assertThat(client.stream(error).all.get(5, SECONDS))
        .isEqualTo(structured ? "{\"metadata\":{},\"status\":\"Success\"}" : "");
    assertThat(client.goAway.get(5, SECONDS)).isZero();
    client.close();
    assertThat(served.poll(5, SECONDS)).isEqualTo("over");
  }
}
