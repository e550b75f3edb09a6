package dev.vertlet.streaming;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static dev.vertlet.testsupport.Waits.take;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.leaks.WatchesLeaks;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import dev.vertlet.streaming.session.StreamLimits;
import dev.vertlet.testsupport.TestHttp;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
@WatchesLeaks
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
    this.commands = new RemoteCommands(StreamLimits.DEFAULT);
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
    this.port = get(server.listen(0, "127.0.0.1")).actualPort();
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
    assertThat(take(served)).isEqualTo("over");
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
    assertThat(get(client.stream(out).all)).isEqualTo("hello world");
    assertThat(get(client.stream(err).all)).isEmpty();
    boolean structured = version.startsWith("v5") || version.startsWith("v4");
    assertThat(get(client.stream(error).all))
        .isEqualTo(structured ? "{\"metadata\":{},\"status\":\"Success\"}" : "");
    assertThat(get(client.goAway)).isZero();
    client.close();
    assertThat(take(served)).isEqualTo("over");
  }

  private SpdyClient spdy(String version) throws Exception {
    return SpdyClient.connect(vertx, port, "/exec", version);
  }

  @Test
  void tellsExitCodes() throws Exception {
    command = io -> Future.succeededFuture(3);
    String message =
        "command terminated with non-zero exit code: command terminated with exit code 3";
    Messages newest = webSocket("v5.channel.k8s.io");
    newest.next();
    assertThat(new JsonObject(newest.next().substring(1)))
        .isEqualTo(
            new JsonObject(
                """
                {"metadata": {}, "status": "Failure", "message": "%s",
                 "reason": "NonZeroExitCode",
                 "details": {"causes": [{"reason": "ExitCode", "message": "3"}]}}
                """
                    .formatted(message)));
    Messages old = webSocket("channel.k8s.io");
    old.next();
    assertThat(old.next()).isEqualTo("\u0003" + message);
    Messages text = webSocket("base64.channel.k8s.io");
    assertThat(text.next()).isEqualTo("1");
    assertThat(text.next())
        .isEqualTo("3" + Base64.getEncoder().encodeToString(message.getBytes(UTF_8)));
  }

  @Test
  void tellsWhyACommandCouldNotBeRun() throws Exception {
    command = io -> Future.failedFuture("no such file");
    Messages client = webSocket("v4.channel.k8s.io");
    client.next();
    JsonObject status = new JsonObject(client.next().substring(1));
    assertThat(status.getString("message")).isEqualTo("Internal error occurred: no such file");
    assertThat(status.getInteger("code")).isEqualTo(500);
    command =
        io -> {
          throw new IllegalStateException();
        };
    Messages thrown = webSocket("channel.k8s.io");
    thrown.next();
    assertThat(thrown.next()).contains("IllegalStateException");
  }

  @Test
  void greetsOnTheFirstChannelThatIsWritten() throws Exception {
    command = io -> Future.future(never -> {});
    asked = new StreamsAsked(true, false, true, false);
    assertThat(webSocket("v5.channel.k8s.io").next()).isEqualTo("\u0002");
    asked = new StreamsAsked(true, false, true, true);
    assertThat(webSocket("v5.channel.k8s.io").next()).isEqualTo("\u0003");
  }

  @Test
  void keepsOutputsApart() throws Exception {
    command =
        io -> {
          requireNonNull(io.stdout()).write(Buffer.buffer("out"));
          requireNonNull(io.stderr()).write(Buffer.buffer("err"));
          return Future.succeededFuture(0);
        };
    Messages client = webSocket("v4.channel.k8s.io");
    assertThat(List.of(client.next(), client.next(), client.next()))
        .containsExactly("\u0001", "\u0001out", "\u0002err");
    SpdyClient spdy = spdy("v4.channel.k8s.io");
    spdy.open("error");
    spdy.open("stdin");
    int out = spdy.open("stdout");
    int err = spdy.open("stderr");
    assertThat(get(spdy.stream(out).all)).isEqualTo("out");
    assertThat(get(spdy.stream(err).all)).isEqualTo("err");
  }

  /** A client that does not know that what it joins has a terminal sends no sizes. */
  @Test
  void aTerminalHasOneOutputWhateverTheClientOpens() throws Exception {
    asked = ALL.of(true);
    command =
        io -> {
          requireNonNull(io.stdout()).write(Buffer.buffer("stderr: " + (io.stderr() != null)));
          return Future.succeededFuture(0);
        };
    SpdyClient spdy = spdy("v4.channel.k8s.io");
    List.of("error", "stdin", "stderr").forEach(spdy::open);
    int out = spdy.open("stdout");
    assertThat(get(spdy.stream(out).all)).isEqualTo("stderr: false");
  }

  @Test
  void tellsSizesOfTerminals() throws Exception {
    LinkedBlockingQueue<TerminalSize> sizes = new LinkedBlockingQueue<>();
    asked = new StreamsAsked(true, true, false, true);
    command =
        io -> {
          io.onResize(sizes::add);
          return Future.future(never -> {});
        };
    Messages client = webSocket("v5.channel.k8s.io");
    client.send("\u0004{\"Width\":80,\"Hei");
    client.send("\u0004ght\":24}\n{\"width\":1}");
    assertThat(take(sizes)).isEqualTo(new TerminalSize(80, 24));
    assertThat(take(sizes)).isEqualTo(new TerminalSize(1, 0));
    SpdyClient spdy = spdy("v3.channel.k8s.io");
    List.of("error", "stdin", "stdout").forEach(spdy::open);
    int resize = spdy.open("resize");
    spdy.data(resize, "{\"Width\":7,\"Height\":8}", false);
    assertThat(take(sizes)).isEqualTo(new TerminalSize(7, 8));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("2.3-remotecommand")
  void tellsTheCommandOnceThatItsClientHasGone(boolean overSpdy) throws Exception {
    LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    command =
        io -> {
          io.gone().onComplete(gone -> heard.add(gone.succeeded() ? "gone" : "failed"));
          heard.add("runs");
          return Future.future(never -> {});
        };
    if (overSpdy) {
      SpdyClient client = spdy("v4.channel.k8s.io");
      List.of("error", "stdin", "stdout", "stderr").forEach(client::open);
      assertThat(take(heard)).isEqualTo("runs");
      client.close();
    } else {
      Messages client = webSocket("v5.channel.k8s.io");
      assertThat(take(heard)).isEqualTo("runs");
      client.socket().close();
    }
    assertThat(take(heard)).isEqualTo("gone");
    assertThat(take(served)).isEqualTo("over");
    assertThat(heard).isEmpty();
  }

  @Test
  @Tag("2.3-remotecommand")
  void saysNothingOfGoingToCommandsThatEndFirst() throws Exception {
    LinkedBlockingQueue<Boolean> goneAtEnd = new LinkedBlockingQueue<>();
    command =
        io -> {
          Promise<Integer> ended = Promise.promise();
          requireNonNull(io.stdin())
              .handler(
                  line -> {
                    ended.complete(0);
                    goneAtEnd.add(io.gone().isComplete());
                  });
          return ended.future();
        };
    Messages client = webSocket("v5.channel.k8s.io");
    client.send("\u0000end");
    assertThat(client.closeCode()).isEqualTo(1000);
    assertThat(goneAtEnd).containsExactly(false);
  }

  @Test
  void givesUpClientsThatOpenTooFewStreams() throws Exception {
    commands = new RemoteCommands(new StreamLimits(Duration.ofHours(1), Duration.ofMillis(50)));
    SpdyClient client = spdy("v4.channel.k8s.io");
    int error = client.open("error");
    assertThat(get(client.stream(error).all))
        .contains("timed out waiting for client to create streams");
    assertThat(get(client.goAway)).isZero();
  }

  @Test
  void closesWhatIsIdle() throws Exception {
    commands = new RemoteCommands(new StreamLimits(Duration.ofMillis(80), Duration.ofSeconds(9)));
    command = io -> Future.future(never -> {});
    Messages client = webSocket("v5.channel.k8s.io");
    assertThat(client.closeCode()).isEqualTo(1001);
    assertThat(take(served)).isEqualTo("over");
  }

  @Test
  void closesWebSocketsThatBreakTheRules() throws Exception {
    command = io -> Future.future(never -> {});
    Messages signal = webSocket("v5.channel.k8s.io");
    signal.send(new byte[] {(byte) 255});
    assertThat(signal.closeCode()).isEqualTo(1002);
    Messages unknown = webSocket("v5.channel.k8s.io");
    unknown.send(new byte[] {(byte) 255, 9});
    assertThat(unknown.closeCode()).isEqualTo(1002);
    Messages text = webSocket("v4.base64.channel.k8s.io");
    text.sendText("0%%%");
    assertThat(text.closeCode()).isEqualTo(1007);
    assertThat(List.of(take(served), take(served))).containsOnly("over");
    Messages other = webSocket("v5.channel.k8s.io");
    assertThat(other.next()).isEqualTo("\u0001");
  }

  @Test
  void answersWhatCannotBeUpgraded() throws Exception {
    assertThatThrownBy(() -> webSocket("v9.channel.k8s.io"))
        .isInstanceOfSatisfying(
            UpgradeRejectedException.class, e -> assertThat(e.getStatus()).isEqualTo(403));
    assertThatThrownBy(() -> spdy("v9.channel.k8s.io"))
        .cause()
        .hasMessageStartingWith("HTTP/1.1 403 ")
        .hasMessageContaining("X-Accepted-Stream-Protocol-Versions: v4.channel.k8s.io");
  }

  /** Used from other threads than the connection's, as by a provider on its shard. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waitsForClientsThatDoNotRead(boolean overSpdy) throws Exception {
    AtomicLong written = new AtomicLong();
    CompletableFuture<ContainerIo> started = new CompletableFuture<>();
    Promise<Integer> ends = Promise.promise();
    command =
        io -> {
          started.complete(io);
          return ends.future();
        };
    SpdyClient spdy = overSpdy ? spdy("v4.channel.k8s.io") : null;
    Messages messages = overSpdy ? null : webSocket("v5.channel.k8s.io");
    if (spdy != null) {
      List.of("error", "stdin", "stdout", "stderr").forEach(spdy::open);
    }
    ContainerIo io = get(started);
    if (spdy != null) {
      spdy.read(false);
    } else if (messages != null) {
      messages.socket().pause();
    }
    byte[] piece = new byte[32 * 1024];
    Semaphore drained = new Semaphore(0);
    requireNonNull(io.stdout()).drainHandler(v -> drained.release());
    while (true) {
      while (!requireNonNull(io.stdout()).writeQueueFull()) {
        requireNonNull(io.stdout()).write(Buffer.buffer(piece));
        written.addAndGet(piece.length);
      }
      if (!becomes(drained::tryAcquire)) {
        break; // nobody reads: nothing moves any more
      }
    }
    // what both systems' sockets keep, and what waits here
    assertThat(written.get()).isLessThan(32L * 1024 * 1024);
    if (spdy != null) {
      spdy.read(true);
    } else if (messages != null) {
      messages.socket().resume();
    }
    eventually(() -> assertThat(drained.tryAcquire()).isTrue());
    ends.complete(0);
    if (spdy != null) {
      assertThat(get(spdy.stream(5).all)).hasSize((int) written.get());
    }
  }

  /** Whether it becomes so by the time that the server has served some others. */
  private boolean becomes(BooleanSupplier condition) {
    TestHttp others = TestHttp.plain(vertx);
    boolean holds = condition.getAsBoolean();
    for (int i = 0; i < 50 && !holds; i++) {
      assertThat(others.get(port, "/").status()).isGreaterThanOrEqualTo(400);
      holds = condition.getAsBoolean();
    }
    return holds;
  }

  @Test
  void slowsDownClientsWhoseInputNobodyReads() throws Exception {
    CompletableFuture<ContainerIo> started = new CompletableFuture<>();
    command =
        io -> {
          started.complete(io);
          return Future.future(never -> {});
        };
    SpdyClient client = spdy("v4.channel.k8s.io");
    client.open("error");
    int in = client.open("stdin");
    client.open("stdout");
    client.open("stderr");
    ContainerIo io = get(started);
    int pieces = 0;
    byte[] piece = new byte[64 * 1024];
    while (pieces < 1000 && becomes(client::writable)) {
      client.data(in, piece, false);
      pieces++;
    }
    assertThat(pieces).isLessThan(1000);
    client.data(in, new byte[0], true);
    AtomicLong read = new AtomicLong();
    CompletableFuture<Long> all = new CompletableFuture<>();
    requireNonNull(io.stdin()).endHandler(end -> all.complete(read.get()));
    requireNonNull(io.stdin()).handler(bytes -> read.addAndGet(bytes.length()));
    assertThat(get(all)).isEqualTo((long) pieces * piece.length);
  }
}
