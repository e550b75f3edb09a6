package dev.vertlet.host.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Probes against a server that speaks gRPC's health protocol, written out as bytes. */
final class GrpcProbesTest {
  private static final byte SERVING = 1;
  private static final byte NOT_SERVING = 2;

  private final Vertx vertx = Vertx.vertx();

  /** Held, as Vert.x closes a client that is not reachable any more. */
  private final GrpcProbes probes = new GrpcProbes(vertx);

  private Buffer asked = Buffer.buffer();
  private String path = "";

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private ProbeResult probe(String service, BiConsumer<HttpServerRequest, Buffer> answer) {
    HttpServer server =
        Waits.get(
            vertx
                .createHttpServer()
                .requestHandler(
                    request ->
                        request
                            .body()
                            .onSuccess(
                                body -> {
                                  asked = body;
                                  path = request.path();
                                  answer.accept(request, body);
                                }))
                .listen(0, "127.0.0.1"));
    return probe(server.actualPort(), service);
  }

  private ProbeResult probe(int port, String service) {
    return Waits.get(probes.check(new HandlerView.Grpc(port, service), "127.0.0.1", 30));
  }

  private static BiConsumer<HttpServerRequest, Buffer> status(byte status) {
    return (request, body) -> {
      Buffer message = Buffer.buffer().appendByte((byte) 8).appendByte(status);
      request.response().putHeader("content-type", "application/grpc").setChunked(true);
      request.response().putTrailer("grpc-status", "0");
      request
          .response()
          .end(Buffer.buffer().appendByte((byte) 0).appendInt(2).appendBuffer(message));
    };
  }

  private static BiConsumer<HttpServerRequest, Buffer> failed(String code, String message) {
    return (request, body) ->
        request
            .response()
            .putHeader("content-type", "application/grpc")
            .putHeader("grpc-status", code)
            .putHeader("grpc-message", message)
            .end();
  }

  @Test
  void aServingServiceIsASuccess() {
    assertThat(probe("", status(SERVING))).isEqualTo(ProbeResult.SUCCESS);
    assertThat(path).isEqualTo("/grpc.health.v1.Health/Check");
    assertThat(asked).isEqualTo(Buffer.buffer(new byte[] {0, 0, 0, 0, 0}));
  }

  @Test
  void theServiceIsNamed() {
    assertThat(probe("db", status(SERVING))).isEqualTo(ProbeResult.SUCCESS);
    assertThat(asked).isEqualTo(Buffer.buffer(new byte[] {0, 0, 0, 0, 4, 0x0a, 2, 'd', 'b'}));
  }

  @Test
  void aServiceThatDoesNotServeIsAFailure() {
    assertThat(probe("", status(NOT_SERVING)))
        .isEqualTo(ProbeResult.failure("service unhealthy (responded with \"NOT_SERVING\")"));
  }

  @Test
  void anAnswerWithoutAStatusIsAFailure() {
    assertThat(
            probe(
                "",
                (request, body) -> {
                  request.response().setChunked(true).putTrailer("grpc-status", "0");
                  request.response().end(Buffer.buffer(new byte[] {0, 0, 0, 0, 0}));
                }))
        .isEqualTo(ProbeResult.failure("service unhealthy (responded with \"UNKNOWN\")"));
  }

  @Test
  void anErrorOfTheServiceIsAFailureWithItsCodeAndMessage() {
    assertThat(probe("unknown", failed("5", "unknown%20service")))
        .isEqualTo(
            ProbeResult.failure(
                "error: health rpc probe failed: rpc error: code = NotFound desc = unknown service"));
    assertThat(probe("", failed("12", "no such method")))
        .isEqualTo(
            ProbeResult.failure(
                "error: this server does not implement the grpc health protocol"
                    + " (grpc.health.v1.Health): no such method"));
    assertThat(probe("", failed("99", "")))
        .isEqualTo(
            ProbeResult.failure("error: health rpc probe failed: rpc error: code = 99 desc = "));
  }

  @Test
  void aPortWithoutAServerIsAFailure() throws IOException {
    try (Socket bound = new Socket()) {
      // bound but not listening: no other program can take the port meanwhile
      bound.bind(new InetSocketAddress("127.0.0.1", 0));
      int port = bound.getLocalPort();

      assertThat(probe(port, ""))
          .isEqualTo(
              ProbeResult.failure(
                  "timeout: failed to connect service \"127.0.0.1:%d\" within 30s: connect: connection refused"
                      .formatted(port)));
    }
  }
}
