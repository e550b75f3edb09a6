package dev.vertlet.server;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.auth.AccessDeniedException;
import dev.vertlet.auth.TokenFileVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class ReaderAccessTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String ELSEWHERE = "10.0.0.7:9250";

  @TempDir private Path folder;
  private Vertx vertx;
  private int port;

  @BeforeEach
  void prepare(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Knows the token {@code reviewed} and no other. */
  private static Future<Void> review(HttpServerRequest request) {
    return "Bearer reviewed".equals(request.getHeader("Authorization"))
        ? Future.succeededFuture()
        : Future.failedFuture(AccessDeniedException.unauthenticated("Unauthorized"));
  }

  private void serve(@Nullable TokenFileVerticle file) {
    ReaderAccess access = new ReaderAccess(file, ReaderAccessTest::review);
    port =
        get(
            vertx
                .createHttpServer()
                .requestHandler(
                    request ->
                        access
                            .admit(request)
                            .onComplete(
                                done ->
                                    request
                                        .response()
                                        .setStatusCode(
                                            done.failed()
                                                ? ((AccessDeniedException) done.cause()).status()
                                                : 200)
                                        .end()))
                .listen(0, "127.0.0.1")
                .map(HttpServer::actualPort));
  }

  private int status(String host, String... headers) throws IOException {
    StringBuilder request = new StringBuilder("GET /metrics HTTP/1.1\r\nHost: " + host + "\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    String answer = BrokenClients.answer(port, request + "Connection: close\r\n\r\n");
    return Integer.parseInt(answer.split(" ", 3)[1]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:9250",
        "127.0.0.1:9250",
        "127.1.2.3",
        "[::1]:9250",
        "[::ffff:127.0.0.1]:9250"
      })
  void admitsACallerOnLoopbackWhoMeantLoopback(String host) throws IOException {
    serve(null);

    assertThat(status(host)).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:9250",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        ELSEWHERE,
        "0.0.0.0:9250",
        "127.1",
        "2130706433",
        "user@127.0.0.1",
        "[::]",
        ""
      })
  void asksForATokenUnderEveryOtherName(String host) throws IOException {
    serve(null);

    assertThat(status(host)).isEqualTo(401);
    assertThat(status(host, "Authorization: Bearer bad")).isEqualTo(401);
    assertThat(status(host, "Authorization: Bearer reviewed")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For: 192.0.2.1",
        "Forwarded: for=192.0.2.1",
        "Via: 1.1 proxy",
        "X-Real-IP: 192.0.2.1"
      })
  void asksCallersBehindAProxyOnLoopbackForAToken(String header) throws IOException {
    serve(null);

    assertThat(status("127.0.0.1", header)).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: http://evil.example",
        "Origin: http://127.0.0.1:3000",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site"
      })
  void refusesPagesOfOtherServers(String header) throws IOException {
    serve(null);

    assertThat(status("127.0.0.1:9250", header)).isEqualTo(403);
    assertThat(status("127.0.0.1:9250", header, "Authorization: Bearer reviewed")).isEqualTo(403);
  }

  @Test
  void admitsItsOwnPageAndWhoeverFollowsALink() throws IOException {
    serve(null);

    assertThat(
            status(
                "127.0.0.1:9250", "Origin: http://127.0.0.1:9250", "Sec-Fetch-Site: same-origin"))
        .isEqualTo(200);
    assertThat(
            status(
                "localhost:9250",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-Dest: document"))
        .isEqualTo(200);
    assertThat(
            status(
                "localhost:9250",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-Dest: iframe"))
        .isEqualTo(403);
  }

  @Test
  void takesTheTokenOfAFileAndTheNextOneWhenItChanges() throws IOException {
    Path secret = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    TokenFileVerticle file = new TokenFileVerticle("server.tokenFile", secret);
    get(vertx.deployVerticle(file));
    serve(file);

    assertThat(status(ELSEWHERE, "Authorization: Bearer " + TOKEN)).isEqualTo(200);
    assertThat(status(ELSEWHERE, "Authorization: Bearer " + TOKEN + "0")).isEqualTo(401);
    assertThat(status(ELSEWHERE, "Authorization: Bearer reviewed")).isEqualTo(200);
    assertThat(status(ELSEWHERE)).isEqualTo(401);

    Files.writeString(secret, "short");
    Files.writeString(secret, "fedcba9876543210");
    eventually(
        () ->
            assertThat(status(ELSEWHERE, "Authorization: Bearer fedcba9876543210")).isEqualTo(200));
    assertThat(status(ELSEWHERE, "Authorization: Bearer " + TOKEN)).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "0123456789abcdef 0123456789abcdef", "0123456789abcdéf"})
  void namesAFileWithoutAToken(String content) throws IOException {
    Path secret = Files.writeString(folder.resolve("token"), content);

    assertThatThrownBy(
            () -> get(vertx.deployVerticle(new TokenFileVerticle("server.tokenFile", secret))))
        .hasMessageContaining(
            "server.tokenFile " + secret + " cannot be used: must hold one token of 16 to 4096");
  }

  @Test
  void namesAFileThatIsNotThere() {
    Path secret = folder.resolve("none");

    assertThatThrownBy(
            () -> get(vertx.deployVerticle(new TokenFileVerticle("server.tokenFile", secret))))
        .hasMessageContaining("server.tokenFile " + secret + " cannot be used: no such file");
  }
}
