package dev.vertlet.process;

import dev.vertlet.model.HandlerView;
import dev.vertlet.provider.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;

/** Asks gRPC health services: one message of a text there, one of a number back. */
final class GrpcProbes {
  private static final String CHECK = "/grpc.health.v1.Health/Check";

  /** Compression flag and length before a message. */
  private static final int PREFIX = 5;

  private static final int SERVING = 1;
  private static final byte SERVICE = 1 << 3 | 2; // field 1, a text
  private static final byte STATUS = 1 << 3; // field 1, a number

  private final HttpClient client;

  GrpcProbes(Vertx vertx) {
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
  }

  Future<ProbeResult> check(HandlerView.Grpc grpc, String podIP, int seconds) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(podIP)
            .setPort(grpc.port())
            .setURI(CHECK)
            .setConnectTimeout(seconds * 1000L)
            .setIdleTimeout(seconds * 1000L)
            .putHeader("content-type", "application/grpc")
            .putHeader("te", "trailers");
    return client
        .request(options)
        .compose(request -> request.send(question(grpc.service())))
        .compose(
            response ->
                response
                    .body()
                    .map(
                        body ->
                            judge(
                                body,
                                response.getHeader("grpc-status"),
                                response.getTrailer("grpc-status"))))
        .otherwise(
            failure ->
                ProbeResult.failure(
                    "error: failed to connect service \"%s:%d\": %s"
                        .formatted(podIP, grpc.port(), Ports.reason(failure))));
  }

  private static Buffer question(String service) {
    Buffer message = Buffer.buffer();
    Buffer text = Buffer.buffer(service);
    if (text.length() > 0) {
      message.appendByte(SERVICE);
      int length = text.length();
      while (length > 0x7f) {
        message.appendByte((byte) (length & 0x7f | 0x80));
        length >>>= 7;
      }
      message.appendByte((byte) length).appendBuffer(text);
    }
    return Buffer.buffer().appendByte((byte) 0).appendInt(message.length()).appendBuffer(message);
  }

  private static ProbeResult judge(
      Buffer body,
      @org.jspecify.annotations.Nullable String header,
      @org.jspecify.annotations.Nullable String trailer) {
    String code = trailer == null ? header : trailer;
    if (!"0".equals(code)) {
      return ProbeResult.failure("error: health rpc failed with status " + code);
    }
    boolean serving =
        body.length() >= PREFIX + 2
            && body.getByte(PREFIX) == STATUS
            && body.getByte(PREFIX + 1) == SERVING;
    return serving
        ? ProbeResult.SUCCESS
        : ProbeResult.failure("service unhealthy (responded with \"NOT_SERVING\")");
  }
}
