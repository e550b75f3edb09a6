package dev.vertlet.cri.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.ManualTimers;
import dev.vertlet.cri.stream.FakeStreamServer.Session;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.tck.Client;
import dev.vertlet.testsupport.Waits;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdySettingsFrame;
import io.netty.handler.codec.spdy.DefaultSpdyWindowUpdateFrame;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands and ports over a streaming server that does as a test says. */
final class StreamSessionsTest {
  private static final String SUCCESS = "{\"status\":\"Success\"}";
  private static final int CHUNK = 16 * 1024;
  private static final int CHUNKS = 512;

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final ManualTimers timers = new ManualTimers(vertx);

  @SuppressWarnings("NullAway.Init") // set before each test
  private FakeStreamServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  private StreamingClient streaming;

  @BeforeEach
  void open() {
    server = new FakeStreamServer(vertx);
    streaming = new StreamingClient(timers.vertx());
  }

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private <T> Future<T> session(String protocol, Function<SpdyConnection, Future<T>> run) {
    Promise<T> result = Promise.promise();
    context.runOnContext(
        v -> streaming.open(server.url(), protocol).compose(run).onComplete(result));
    return result.future();
  }

  private Future<Integer> command(Client client, boolean tty) {
    return session(
        CommandSession.PROTOCOL, connection -> new CommandSession(connection, client, tty).run());
  }

  private Future<Void> forward(Client client) {
    return session(
        PortSession.PROTOCOL, connection -> new PortSession(connection, 8080, client).run());
  }

  private static void succeed(Session session) {
    session.send("error", SUCCESS);
    session.end("error");
  }

  private static String failure(Future<?> call) {
    Throwable failure =
        Waits.get(
            call.transform(
                result ->
                    Future.succeededFuture(
                        result.failed() ? result.cause() : new AssertionError("succeeded"))));
    return ProviderException.reasonOf(failure, "") + ": " + failure.getMessage();
  }

  @Test
  void aCommandHasItsOutputAndExitCode() throws Exception {
    Client client = Client.listening();
    Future<Integer> code = command(client, false);
    Session session = server.next();

    session.send("stdout", "out");
    session.send("stderr", "err");
    session.send(
        "error",
        "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":"
            + "[{\"reason\":\"ExitCode\",\"message\":\"7\"}]}}");
    session.end("error");

    assertThat(Waits.get(code)).isEqualTo(7);
    assertThat(client.out().text()).isEqualTo("out");
    assertThat(client.err().text()).isEqualTo("err");
    assertThat(session.head())
        .startsWith("POST /exec/token HTTP/1.1\r\n")
        .contains("Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: v4.channel.k8s.io");
    Waits.get(session.closed());
  }

  /** The end of the input does not end the output. */
  @Test
  void aClientThatHasSentEverythingStillReceives() throws Exception {
    Client client = Client.sending();
    Future<Integer> code = command(client, false);
    Session session = server.next();
    client.in().send("one");
    client.in().end();
    Waits.eventually(() -> assertThat(session.stream("stdin").ended()).isTrue());
    assertThat(session.stream("stdin").text()).isEqualTo("one");

    session.send("stdout", "answer");
    succeed(session);

    assertThat(Waits.get(code)).isZero();
    assertThat(client.out().text()).isEqualTo("answer");
  }

  /** Nor does the end of the output end the input. */
  @Test
  void aProcessThatHasClosedItsOutputStillReceives() throws Exception {
    Client client = Client.sending();
    Future<Integer> code = command(client, false);
    Session session = server.next();
    session.end("stdout");
    session.reset("stderr");

    client.in().send("late");
    Waits.eventually(() -> assertThat(session.stream("stdin").text()).isEqualTo("late"));
    succeed(session);

    assertThat(Waits.get(code)).isZero();
  }

  @Test
  void aSlowReaderSlowsTheRuntimeDownAndLosesNothing() throws Exception {
    Client client = Client.listening();
    client.out().hold();
    Future<Integer> code = command(client, false);
    Session session = server.next();
    for (int i = 0; i < CHUNKS; i++) {
      session.send("stdout", chunk(i));
    }
    succeed(session);
    Waits.eventually(() -> assertThat(client.out().writeQueueFull()).isTrue());
    assertThat(code.isComplete()).isFalse();

    client.out().release();

    assertThat(Waits.get(code)).isZero();
    assertThat(client.out().largestBacklog()).isLessThan(CHUNKS * CHUNK / 4);
    Buffer all = client.out().bytes();
    assertThat(all.length()).isEqualTo(CHUNKS * CHUNK);
    for (int i = 0; i < CHUNKS; i++) {
      assertThat(all.getByte(i * CHUNK)).isEqualTo((byte) i);
    }
  }

  private static Buffer chunk(int first) {
    Buffer chunk = Buffer.buffer(new byte[CHUNK]);
    chunk.setByte(0, (byte) first);
    return chunk;
  }

  @Test
  void aProcessThatReadsSlowlySlowsItsClientDown() throws Exception {
    Client client = Client.sending();
    Future<Integer> code = command(client, false);
    Session session = server.next();
    session.stream("stdin");
    session.pause();
    for (int i = 0; i < CHUNKS; i++) {
      client.in().send(chunk(i));
    }
    client.in().end();

    // TCP holds a part, and all else waits at the client
    assertThat(client.in().untaken()).isPositive();
    session.resume();

    Waits.eventually(() -> assertThat(session.stream("stdin").ended()).isTrue());
    assertThat(session.stream("stdin").length()).isEqualTo(CHUNKS * CHUNK);
    succeed(session);
    assertThat(Waits.get(code)).isZero();
  }

  /** Runtimes count no windows: more than the first one of 64 KiB passes without an update. */
  @Test
  void windowsAreNeitherWaitedForNorAnnounced() throws Exception {
    Client client = Client.sending();
    Future<Integer> code = command(client, false);
    Session session = server.next();
    session.stream("stdin");
    DefaultSpdySettingsFrame settings = new DefaultSpdySettingsFrame();
    settings.setValue(7, 1); // SETTINGS_INITIAL_WINDOW_SIZE
    session.frame(settings);
    session.frame(new DefaultSpdyWindowUpdateFrame(1, 1));
    session.frame(new DefaultSpdyPingFrame(2));

    client.in().send(Buffer.buffer(new byte[300_000]));
    client.in().end();
    Waits.eventually(() -> assertThat(session.stream("stdin").ended()).isTrue());
    for (int i = 0; i < 20; i++) {
      session.send("stdout", chunk(i));
    }
    succeed(session);

    assertThat(Waits.get(code)).isZero();
    assertThat(session.stream("stdin").length()).isEqualTo(300_000);
    assertThat(client.out().bytes().length()).isEqualTo(20 * CHUNK);
    assertThat(session.kinds())
        .contains("DefaultSpdyPingFrame")
        .doesNotContain("DefaultSpdyWindowUpdateFrame");
  }

  @Test
  void aTerminalHasOneOutputAndSizes() throws Exception {
    Client client = Client.atTerminal();
    client.resize(80, 24);
    Future<Integer> code = command(client, true);
    Session session = server.next();
    session.stream("resize");
    client.resize(100, 40);

    Waits.eventually(
        () ->
            assertThat(session.stream("resize").text())
                .isEqualTo("{\"Width\":80,\"Height\":24}{\"Width\":100,\"Height\":40}"));
    succeed(session);

    assertThat(Waits.get(code)).isZero();
  }

  @Test
  void aClientThatLeavesEndsTheSession() throws Exception {
    Client client = Client.sending();
    Future<Integer> code = command(client, false);
    Session session = server.next();
    session.stream("stdin");

    client.leave();

    Waits.get(session.closed());
    assertThat(failure(code)).startsWith("StreamClosed: ");
  }

  /** A client that reads no more must not hide that the runtime has gone. */
  @Test
  void aSessionThatTheRuntimeClosesFailsAlsoForAClientThatIsFull() throws Exception {
    Client client = Client.listening();
    client.out().hold();
    Future<Integer> code = command(client, false);
    Session session = server.next();
    for (int i = 0; i < CHUNKS; i++) {
      session.send("stdout", chunk(i));
    }
    session.close();
    Waits.eventually(() -> assertThat(client.out().writeQueueFull()).isTrue());

    client.out().release();

    assertThat(failure(code))
        .isEqualTo("StreamClosed: the session was closed before the process had ended");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{|ExecFailed: the container runtime ended a session with a status that is none: {",
        "[]|ExecFailed: the container runtime ended a session with a status that is none: []",
        "{}|ExecFailed: the command failed",
        "{\"status\":\"Failure\",\"message\":\"no such file\"}|ExecFailed: no such file",
        "{\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\","
            + "\"message\":\"x\"}]}}|ExecFailed: the container runtime ended a session with a"
            + " status that is none: {\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":"
            + "[{\"reason\":\"ExitCode\",\"message\":\"x\"}]}}",
        "{\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[1]},\"message\":\"m\"}|ExecFailed:"
            + " m"
      })
  void aStatusThatIsNoneFails(String status, String message) throws Exception {
    Future<Integer> code = command(Client.listening(), false);
    Session session = server.next();
    session.send("error", status);
    session.end("error");

    assertThat(failure(code)).isEqualTo(message);
  }

  @Test
  void aStreamOfErrorsThatIsResetFails() throws Exception {
    Future<Integer> code = command(Client.listening(), false);
    Session session = server.next();
    session.reset("error");

    assertThat(failure(code)).startsWith("StreamClosed: ");
  }

  @Test
  void whatIsNoFrameEndsTheSession() throws Exception {
    Future<Integer> code = command(Client.listening(), false);
    Session session = server.next();
    session.stream("error");
    session.raw(0x80, 0x09, 0, 0x01, 0, 0, 0, 1, 9); // SYN_STREAM of another version

    assertThat(failure(code)).startsWith("StreamClosed: ");
    Waits.get(session.closed());
  }

  @Test
  void aPortCarriesBytesBothWaysUntilBothSidesHaveEnded() throws Exception {
    Client client = Client.sending();
    Future<Void> forwarded = forward(client);
    Session session = server.next();
    client.in().send("GET /");
    client.in().end();
    Waits.eventually(() -> assertThat(session.stream("data").ended()).isTrue());
    assertThat(session.stream("data").text()).isEqualTo("GET /");
    assertThat(session.stream("error").ended()).isTrue();

    session.send("data", "200 OK");
    session.end("data");
    session.end("error");

    Waits.get(forwarded);
    assertThat(client.out().text()).isEqualTo("200 OK");
    assertThat(client.out().ended()).isTrue();
  }

  @Test
  void aPortThatNothingListensOnFailsWithTheRuntimesWords() throws Exception {
    Future<Void> forwarded = forward(Client.sending());
    Session session = server.next();
    session.send("error", "connection refused");
    session.end("error");
    session.end("data");

    assertThat(failure(forwarded)).isEqualTo("PortForwardFailed: connection refused");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 403 Forbidden%%no|HTTP/1.1 403 Forbidden no",
        "HTTP/1.1 101 Switching Protocols%%early|data came before the first stream"
      })
  void aServerThatDoesNotSwitchFailsTheCall(String answer, String words) {
    server.answer(answer.replace("%", "\r\n"));

    assertThat(failure(command(Client.listening(), false)))
        .isEqualTo("StreamFailed: the container runtime's streams fail: " + words);
  }

  @Test
  void aServerThatNeverAnswersFailsTheCall() throws Exception {
    server.answer("");
    Future<Integer> code = command(Client.listening(), false);
    Session unused = server.next();
    timers.advance(Duration.ofSeconds(30));

    assertThat(failure(code))
        .isEqualTo("StreamFailed: the container runtime's streams fail: no answer within 30000 ms");
  }
}
