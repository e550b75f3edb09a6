package dev.vertlet.api;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.junit5.VertxExtension;
import java.net.URLEncoder;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The streaming SPI takes real processes as it is: through HTTPS, a WebSocket and the guard. */
@ExtendWith(VertxExtension.class)
class ProcessStreamsTest {
  private static final Buffer END_OF_INPUT = Buffer.buffer(new byte[] {0});

  private static ServerLab lab;

  @BeforeAll
  static void start(Vertx vertx) throws Exception {
    lab = ServerLab.start(vertx, "{}", 1);
  }

  @BeforeEach
  void runProcesses(Vertx vertx) {
    lab.forget();
    lab.provider.sessions = new ProcessStreams(vertx);
  }

  private static Session exec(String streams, String... command) throws Exception {
    String query =
        List.of(command).stream()
            .map(word -> "command=" + URLEncoder.encode(word, UTF_8))
            .collect(Collectors.joining("&"));
    return Session.open(lab, "/exec/default/pod-of-n0/c?" + query + streams);
  }

  @Test
  void aProcessHasThreeStreamsAndAnExitCode() throws Exception {
    Session session =
        exec("&input=1&output=1&error=1", "sh", "-c", "read a; echo out $a; echo err >&2; exit 7");

    session.send(0, Buffer.buffer("in\n"));

    assertThat(session.error()).contains("NonZeroExitCode", "\"message\":\"7\"");
    assertThat(session.text(1)).isEqualTo("out in\n");
    assertThat(session.text(2)).isEqualTo("err\n");
  }

  @Test
  void megabytesGoThroughAProcessAndComeBackEqual() throws Exception {
    byte[] piece = new byte[32 * 1024];
    new Random(3).nextBytes(piece);
    Session session = exec("&input=1&output=1", "cat");
    int pieces = 200;
    for (int i = 0; i < pieces; i++) {
      session.send(0, Buffer.buffer(piece));
    }
    session.send(255, END_OF_INPUT);

    assertThat(session.error()).contains("Success");
    Buffer back = session.bytes(1);
    assertThat(back.length()).isEqualTo(pieces * piece.length);
    for (int i = 0; i < pieces; i++) {
      assertThat(back.getBytes(i * piece.length, (i + 1) * piece.length)).isEqualTo(piece);
    }
  }

  @Test
  void whatAProcessWritesIsThereAtOnceAndItEndsWithItsClient() throws Exception {
    Session session = exec("&output=1", "sh", "-c", "echo $$; exec sleep 1000");
    eventually(() -> assertThat(session.text(1)).endsWith("\n"));
    ProcessHandle process = ProcessHandle.of(Long.parseLong(session.text(1).trim())).orElseThrow();
    assertThat(process.isAlive()).isTrue();

    session.socket().close();

    get(process.onExit());
  }

  @Test
  void aProgramThatIsNotThereIsTold() throws Exception {
    assertThat(exec("&output=1", "/none/such").error())
        .contains("error executing command in container: Cannot run program");
  }

  @Test
  void aPortIsThatOfARealListener(Vertx vertx) throws Exception {
    NetServer echo =
        get(
            vertx
                .createNetServer()
                .connectHandler(socket -> socket.handler(bytes -> socket.end(bytes)))
                .listen(0, "127.0.0.1"));

    Session session = Session.open(lab, "/portForward/default/pod-of-n0?port=" + echo.actualPort());
    session.send(0, Buffer.buffer("ping"));

    eventually(() -> assertThat(session.text(0)).endsWith("ping"));
    session.socket().close();
  }
}
