package dev.vertlet.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

@ExtendWith(VertxExtension.class)
class RequestGuardTest {
  private Vertx vertx;
  private TestHttp http;
  private LoggedLines log;

  @BeforeEach
  void start(Vertx vertx) {
    this.vertx = vertx;
    this.http = TestHttp.plain(vertx);
    this.log = LoggedLines.all();
  }

  @AfterEach
  void stop() {
    log.close();
  }

  private int serve(Handler<HttpServerRequest> handler) throws TimeoutException {
    RequestGuard guard =
        new RequestGuard(
            handler,
            (request, status, text) -> request.response().setStatusCode(status).end(text),
            LoggerFactory.getLogger(getClass()));
    return Waits.get(
        vertx
            .createHttpServer()
            .requestHandler(guard)
            .listen(0, "127.0.0.1")
            .map(HttpServer::actualPort));
  }

  private String get(int port, String path) {
    return http.get(port, path).text();
  }

  @Test
  void aQueryThatCannotBeReadNeverReachesTheHandler() throws TimeoutException {
    int port = serve(request -> request.response().end("served " + request.getParam("a")));

    for (String query : new String[] {"%", "a=%", "%zz=1", "a=1&b=%f", "%u0041"}) {
      assertThat(get(port, "/x?" + query)).startsWith("400 the query cannot be read: ");
    }
    assertThat(get(port, "/x?" + "a&".repeat(2_000)))
        .isEqualTo("400 a query must have at most 1024 parameters");
    assertThat(get(port, "/x?a=%20b")).isEqualTo("200 served  b");
    assertThat(get(port, "/x")).isEqualTo("200 served null");
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void whatAHandlerThrowsIsAnsweredAndLoggedOnce() throws TimeoutException {
    int port =
        serve(
            request -> {
              throw new IllegalStateException("broken");
            });

    for (int i = 0; i < 20; i++) {
      assertThat(get(port, "/x")).isEqualTo("500 the request could not be served; see the log");
    }

    assertThat(log.warnings())
        .singleElement()
        .asString()
        .contains("a request could not be served", "127.0.0.1", "broken")
        .endsWith(" null");
  }

  @Test
  void aLineOfTheNextMinuteSaysHowManyWereOmitted() {
    AtomicLong nanos = new AtomicLong(-5);
    RateLimitedLog rare =
        new RateLimitedLog(LoggerFactory.getLogger(getClass()), "it happened", nanos::get);
    Exception failure = new IllegalArgumentException("x");
    for (int second = 0; second < 60; second++) {
      rare.warn("client", failure);
      nanos.addAndGet(SECONDS.toNanos(1));
    }
    assertThat(log.warnings()).hasSize(1);

    rare.warn("other", failure);

    assertThat(log.warnings()).hasSize(2);
    assertThat(log.warnings().get(1)).contains("client=\"other\"", "omitted=\"59\"");
  }
}
