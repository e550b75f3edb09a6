package dev.vertlet.fetch;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SelfSignedCertificate;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class UrlFetchTest {
  private static final int MAX = 1000;
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final SelfSignedCertificate CERTIFICATE = SelfSignedCertificate.create();

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String elsewhere = "";

  private HttpServer server;
  private UrlFetch fetch;

  @BeforeEach
  void start(Vertx vertx) {
    server = get(vertx.createHttpServer().requestHandler(this::answer).listen(0, "localhost"));
    fetch = new UrlFetch(vertx);
  }

  private void answer(HttpServerRequest request) {
    asked.add(request.path());
    switch (request.path()) {
      case "/pods" -> request.response().end("body");
      case "/moved" -> request.response().setStatusCode(302).putHeader("Location", "/pods").end();
      case "/round" -> request.response().setStatusCode(301).putHeader("Location", "round").end();
      case "/lost" -> request.response().setStatusCode(302).end();
      case "/elsewhere" ->
          request.response().setStatusCode(308).putHeader("Location", elsewhere).end();
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
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("unable to find valid certification path");
    get(server.stop());
  }

  @Test
  void speaksTlsWithWhomItIsToldToTrust(Vertx vertx) {
    EmbeddedApiServer server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults()));
    PemTrustOptions authority = new PemTrustOptions().addCertValue(Buffer.buffer(server.caPem()));
    UrlFetch trusting = new UrlFetch(vertx, LONG, authority);
    assertThat(get(trusting.get(URI.create(server.url() + "/healthz"), MAX)).toString())
        .isEqualTo("ok");
    get(server.stop());
  }

  /** Whoever is on the way could write the node's pods. */
  @Test
  void followsNoRedirectFromTlsToPlainText(Vertx vertx) {
    HttpServer secure =
        get(
            vertx
                .createHttpServer(
                    new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(CERTIFICATE.keyCertOptions()))
                .requestHandler(this::answerSecurely)
                .listen(0, "localhost"));
    UrlFetch trusting = new UrlFetch(vertx, LONG, CERTIFICATE.trustOptions());
    String url = "https://localhost:" + secure.actualPort();
    assertThat(get(trusting.get(URI.create(url + "/here"), MAX)).toString()).isEqualTo("secure");
    assertThatThrownBy(() -> get(trusting.get(URI.create(url + "/plain"), MAX)))
        .hasMessage(
            "redirects to http://localhost:"
                + server.actualPort()
                + "/pods, which is not followed: https must stay https");
    assertThat(asked).doesNotContain("/pods");
  }

  private void answerSecurely(HttpServerRequest request) {
    String plain = "http://localhost:" + server.actualPort() + "/pods?token=secret";
    switch (request.path()) {
      case "/here" -> request.response().setStatusCode(307).putHeader("Location", "/body").end();
      case "/plain" -> request.response().setStatusCode(302).putHeader("Location", plain).end();
      default -> request.response().end("secure");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://localhost/pods", "http://", "http://[", "mailto:a@example.com"})
  void followsARedirectToNothingElse(String location) {
    elsewhere = location;
    assertThatThrownBy(() -> fetch("/elsewhere"))
        .hasMessageStartingWith("redirects to ")
        .hasMessageEndingWith("which is not an http or https URL");
  }

  @Test
  void endsAfterTenRedirects() {
    assertThatThrownBy(() -> fetch("/round"))
        .hasMessage("answers 301 Moved Permanently instead of 200 OK");
    assertThat(asked).hasSize(11);
  }

  @Test
  void aRedirectToNowhereIsAnAnswerLikeOthers() {
    assertThatThrownBy(() -> fetch("/lost")).hasMessage("answers 302 Found instead of 200 OK");
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
    UrlFetch hurried = new UrlFetch(vertx, Duration.ofMillis(50), null);
    URI url = URI.create("http://localhost:" + silent.actualPort());

    Throwable why =
        get(hurried.get(url, MAX).transform(answer -> Future.succeededFuture(answer.cause())));
    assertThat(why).isInstanceOf(TimeoutException.class);
    get(ended.future());
  }

  @Test
  void readsNoMoreThanItMay() {
    assertThatThrownBy(() -> fetch("/large")).hasMessage("has more than 1000 bytes");
  }
}
