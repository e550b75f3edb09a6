package dev.vertlet.tracing;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.config.ConfigException;
import dev.vertlet.config.TracingConfig;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** virtual-kubelet 2.3-tracing: exporters of traces by name. */
class TracingTest {
  private static final int ALL = 1_000_000;

  private final Vertx plain = Vertx.vertx();

  @BeforeEach
  void forget() {
    RecordingExporters.SPANS.clear();
  }

  @AfterEach
  void stop() throws Exception {
    plain.close().await(30, SECONDS);
  }

  /**
   * A request to a server, which asks another one before it answers; all spans are sent when this
   * returns.
   */
  private void request(TracingConfig config) throws Exception {
    try (Tracing tracing = Tracing.open(config)) {
      Vertx vertx = Vertx.builder().withTracer(tracing.factory()).build();
      HttpClient client = vertx.createHttpClient();
      HttpServer other = listen(vertx, request -> request.response().end());
      HttpServer server =
          listen(
              vertx,
              request ->
                  get(client, other.actualPort())
                      .onComplete(answer -> request.response().setStatusCode(201).end()));
      get(plain.createHttpClient(), server.actualPort()).await(30, SECONDS);
      vertx.close().await(30, SECONDS);
    }
  }

  private static HttpServer listen(Vertx vertx, io.vertx.core.Handler<HttpServerRequest> handler)
      throws Exception {
    return vertx
        .createHttpServer()
        .requestHandler(handler)
        .listen(0, "127.0.0.1")
        .await(30, SECONDS);
  }

  private static Future<Buffer> get(HttpClient client, int port) {
    return client
        .request(HttpMethod.GET, port, "127.0.0.1", "/healthz")
        .compose(request -> request.send())
        .compose(response -> response.body());
  }

  private static SpanData span(SpanKind kind, boolean root) {
    return RecordingExporters.SPANS.stream()
        .filter(span -> span.getKind() == kind)
        .filter(span -> span.getParentSpanContext().isValid() != root)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anExporterIsFoundByItsName() throws Exception {
    request(new TracingConfig("recording", "", ALL, "mine"));

    SpanData served = span(SpanKind.SERVER, true);
    SpanData asked = span(SpanKind.CLIENT, false);
    SpanData answered = span(SpanKind.SERVER, false);
    assertThat(RecordingExporters.SPANS).hasSize(3);
    assertThat(served.getName()).isEqualTo("GET");
    assertThat(asked.getParentSpanId()).isEqualTo(served.getSpanId());
    assertThat(answered.getParentSpanId()).isEqualTo(asked.getSpanId());
    assertThat(answered.getTraceId()).isEqualTo(served.getTraceId());
    assertThat(served.getResource().getAttribute(AttributeKey.stringKey("service.name")))
        .isEqualTo("mine");
    assertThat(served.getAttributes().asMap().values()).contains("201");
  }

  @Test
  void aRequestThatFailsSaysSo() throws Exception {
    try (Tracing tracing = Tracing.open(new TracingConfig("recording", "", ALL, "mine"))) {
      Vertx vertx = Vertx.builder().withTracer(tracing.factory()).build();
      HttpServer server = listen(plain, request -> request.connection().close());
      assertThatThrownBy(
              () -> get(vertx.createHttpClient(), server.actualPort()).await(30, SECONDS))
          .isNotNull();
      vertx.close().await(30, SECONDS);
    }
    assertThat(span(SpanKind.CLIENT, true).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
  }

  @Test
  void messagesOfTheEventBusAreNotTraced() throws Exception {
    try (Tracing tracing = Tracing.open(new TracingConfig("recording", "", ALL, "mine"))) {
      Vertx vertx = Vertx.builder().withTracer(tracing.factory()).build();
      vertx.eventBus().consumer("a", message -> message.reply("b"));
      assertThat(vertx.eventBus().request("a", "b").await(30, SECONDS).body()).isEqualTo("b");
      vertx.close().await(30, SECONDS);
    }
    assertThat(RecordingExporters.SPANS).isEmpty();
  }

  @Test
  void whatNobodySamplesIsNotTraced() throws Exception {
    request(new TracingConfig("recording", "", 0, "mine"));

    assertThat(RecordingExporters.SPANS).isEmpty();
  }

  @Test
  void aCollectorIsSentTheSpans() throws Exception {
    BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    HttpServer collector =
        listen(
            plain,
            request ->
                request
                    .body()
                    .onSuccess(
                        body -> {
                          String text = body.toString(StandardCharsets.ISO_8859_1);
                          requests.add(
                              request.method()
                                  + " "
                                  + request.path()
                                  + (text.contains("mine") ? " of mine" : ""));
                          request.response().end();
                        }));

    String endpoint = "http://127.0.0.1:" + collector.actualPort();
    request(new TracingConfig("otlp", endpoint, ALL, "mine"));

    assertThat(requests.poll(30, SECONDS)).isEqualTo("POST /v1/traces of mine");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "ftp://collector", "http://", "http://a b"})
  void anEndpointIsAUrl(String endpoint) {
    assertThatThrownBy(() -> new TracingConfig("otlp", endpoint, ALL, "mine"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "/tracing/endpoint: \"" + endpoint + "\" must be an http or https URL");
  }

  @Test
  void anUnknownNameIsRefusedWithThoseThatAreKnown() {
    assertThatThrownBy(() -> new TracingConfig("jaeger", "", ALL, "mine"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/tracing/exporter")
        .hasMessageContaining("\"jaeger\"")
        .hasMessageContaining("must be one of none, ")
        .hasMessageContaining("console")
        .hasMessageContaining("otlp")
        .hasMessageContaining("recording");
    assertThat(List.of("none", "otlp", "console"))
        .allSatisfy(
            name ->
                assertThat(new TracingConfig(name, "", ALL, "mine").exporter()).isEqualTo(name));
  }
}
