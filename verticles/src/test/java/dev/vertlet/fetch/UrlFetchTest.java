package dev.vertlet.fetch;

import static dev.vertlet.testing.FakeCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class UrlFetchTest {
  private static final int MAX = 1000;

  private HttpServer server;
  private UrlFetch fetch;

  @BeforeEach
  void start(Vertx vertx) {
    server =
        get(vertx.createHttpServer().requestHandler(UrlFetchTest::answer).listen(0, "localhost"));
    fetch = new UrlFetch(vertx);
  }

  private static void answer(HttpServerRequest request) {
    switch (request.path()) {
      case "/pods" -> request.response().end("body");
      case "/moved" -> request.response().setStatusCode(302).putHeader("Location", "/pods").end();
      case "/large" -> request.response().end(Buffer.buffer(new byte[MAX + 1]));
      default -> request.response().setStatusCode(404).end("no");
    }
  }

  private Buffer fetch(String path) {
    return get(fetch.get(URI.create("http://localhost:" + server.actualPort() + path), MAX));
  }

  @Test
  void readsABody() {
    assertThat(fetch("/pods").toString()).isEqualTo("body");
    assertThat(fetch("/moved").toString()).isEqualTo("body");
  }

  @Test
  void saysWhatTheServerAnswers() {
    assertThatThrownBy(() -> fetch("/none")).hasMessage("answers 404 Not Found instead of 200 OK");
  }

  /** The embedded API server's certificate is its own. */
  @Test
  void speaksTlsWithWhomTheJdkTrusts(Vertx vertx) {
    EmbeddedApiServer server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults()));
    assertThat(server.url()).startsWith("https:");
    assertThatThrownBy(() -> get(fetch.get(URI.create(server.url() + "/healthz"), MAX)))
        .isInstanceOf(SSLException.class);
    get(server.stop());
  }

  @Test
  void endsARequestThatIsNotAnswered(Vertx vertx) {
    Promise<Void> ended = Promise.promise();
    HttpServer silent =
        get(
            vertx
                .createHttpServer()
                .requestHandler(request -> request.connection().closeHandler(ended::complete))
                .listen(0, "localhost"));
    UrlFetch hurried = new UrlFetch(vertx, Duration.ofMillis(50));
    URI url = URI.create("http://localhost:" + silent.actualPort());
    // when
    Throwable why =
        get(hurried.get(url, MAX).transform(answer -> Future.succeededFuture(answer.cause())));
    // then
    assertThat(why).isInstanceOf(TimeoutException.class);
    get(ended.future());
  }

  @Test
  void readsNoMoreThanItMay() {
    assertThatThrownBy(() -> fetch("/large")).hasMessage("has more than 1000 bytes");
  }
}
