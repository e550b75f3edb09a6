package dev.vertlet.tracing;

import static dev.vertlet.testsupport.Waits.take;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import dev.vertlet.bus.PodTimeline.Mark;
import dev.vertlet.bus.PodTimeline.Step;
import dev.vertlet.config.TracingConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.model.PodRef;
import dev.vertlet.testsupport.Waits;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** virtual-kubelet 2.3-tracing: exporters of traces by name. */
@Tag("2.3-tracing")
class TracingTest {
  private static final int ALL = 1_000_000;

  private final Vertx plain = Vertx.vertx();

  @BeforeEach
  void forget() {
    RecordingExporters.SPANS.clear();
  }

  @AfterEach
  void stop() throws Exception {
    Waits.get(plain.close());
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
      Waits.get(get(plain.createHttpClient(), server.actualPort()));
      Waits.get(vertx.close());
    }
  }

  private static HttpServer listen(Vertx vertx, io.vertx.core.Handler<HttpServerRequest> handler)
      throws Exception {
    return Waits.get(vertx.createHttpServer().requestHandler(handler).listen(0, "127.0.0.1"));
  }

  private static Future<Buffer> get(HttpClient client, int port) {
    return get(client, port, "/healthz");
  }

  private static Future<Buffer> get(HttpClient client, int port, String uri) {
    return client
        .request(HttpMethod.GET, port, "127.0.0.1", uri)
        .compose(request -> request.send().compose(HttpClientResponse::body));
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
  void queriesAreInNoSpan() throws Exception {
    try (Tracing tracing = Tracing.open(new TracingConfig("recording", "", ALL, "mine"))) {
      Vertx vertx = Vertx.builder().withTracer(tracing.factory()).build();
      HttpServer server = listen(vertx, request -> request.response().end());
      Waits.get(get(vertx.createHttpClient(), server.actualPort(), "/exec?command=hush"));
      Waits.get(vertx.close());
    }

    assertThat(RecordingExporters.SPANS)
        .hasSize(2)
        .allSatisfy(
            span ->
                assertThat(span.getAttributes().asMap().values())
                    .extracting(Object::toString)
                    .anyMatch(value -> value.endsWith("/exec"))
                    .noneMatch(value -> value.contains("hush")));
  }

  @Test
  void aRequestThatFailsSaysSo() throws Exception {
    try (Tracing tracing = Tracing.open(new TracingConfig("recording", "", ALL, "mine"))) {
      Vertx vertx = Vertx.builder().withTracer(tracing.factory()).build();
      HttpServer server = listen(plain, request -> request.connection().close());
      assertThatThrownBy(() -> Waits.get(get(vertx.createHttpClient(), server.actualPort())))
          .isNotNull();
      Waits.get(vertx.close());
    }
    assertThat(span(SpanKind.CLIENT, true).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
  }

  @Test
  void messagesOfTheEventBusAreNotTraced() throws Exception {
    try (Tracing tracing = Tracing.open(new TracingConfig("recording", "", ALL, "mine"))) {
      Vertx vertx = Vertx.builder().withTracer(tracing.factory()).build();
      vertx.eventBus().consumer("a", message -> message.reply("b"));
      assertThat(Waits.get(vertx.eventBus().request("a", "b")).body()).isEqualTo("b");
      Waits.get(vertx.close());
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

    assertThat(take(requests)).isEqualTo("POST /v1/traces of mine");
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

  private void tell(TracingConfig config) throws Exception {
    try (Tracing tracing = Tracing.open(config)) {
      Vertx vertx = Vertx.builder().withTracer(tracing.factory()).build();
      Bus bus = Bus.install(vertx);
      Clock clock = Clock.fixed(Instant.ofEpochSecond(1_000), ZoneOffset.UTC);
      Waits.get(vertx.deployVerticle(Tracing.pods(vertx, bus, clock, () -> 5_000).orElseThrow()));
      PodRef pod = new PodRef("default", "p", "uid");
      PodTimeline start =
          new PodTimeline(
              pod,
              "n",
              false,
              2_000,
              List.of(new Mark(Step.TAKEN_UP, 10), new Mark(Step.WRITTEN, 30)));
      PodTimeline end = new PodTimeline(pod, "n", true, 4_000, List.of(new Mark(Step.GONE, 7)));
      bus.publish(
          Addresses.POD_STATS,
          new PodStats(0, List.of(), List.of(start, end), List.of(), 1, 1, 0, 0, 0));
      Waits.get(vertx.close());
    }
  }

  private static String times(SpanData span) {
    long now = SECONDS.toNanos(1_000);
    return "%s %d to %d"
        .formatted(span.getName(), span.getStartEpochNanos() - now, span.getEndEpochNanos() - now);
  }

  @Test
  void aPodsWayIsATraceWithASpanForEachStep() throws Exception {
    tell(new TracingConfig("recording", "", ALL, "mine"));

    assertThat(RecordingExporters.SPANS)
        .extracting(TracingTest::times)
        .containsExactlyInAnyOrder(
            "pod start -3000 to -2970",
            "taken up -3000 to -2990",
            "written -2990 to -2970",
            "pod end -1000 to -993",
            "gone -1000 to -993");
    SpanData whole =
        RecordingExporters.SPANS.stream()
            .filter(span -> span.getName().equals("pod start"))
            .findFirst()
            .orElseThrow();
    assertThat(whole.getAttributes().asMap())
        .containsEntry(AttributeKey.stringKey("k8s.pod.uid"), "uid")
        .containsEntry(AttributeKey.stringKey("k8s.node.name"), "n");
    assertThat(RecordingExporters.SPANS)
        .filteredOn(span -> span.getTraceId().equals(whole.getTraceId()))
        .filteredOn(span -> span.getParentSpanContext().isValid())
        .extracting(SpanData::getParentSpanId)
        .containsExactly(whole.getSpanId(), whole.getSpanId());
  }

  @Test
  void aPodsWayThatNobodySamplesIsNotTraced() throws Exception {
    tell(new TracingConfig("recording", "", 0, "mine"));

    assertThat(RecordingExporters.SPANS).isEmpty();
  }

  @Test
  void podsAreTracedWhereRequestsAre() {
    assertThat(Tracing.pods(plain, Bus.install(plain), Clock.systemUTC(), System::nanoTime))
        .isEmpty();
  }
}
