package dev.vertlet.host.probe;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.probe.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Asks gRPC health services, one message of a text there and one of a number back, and says what
 * they answered as a kubelet does.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/probe/grpc/grpc.go">
 *     Probe, Kubernetes 1.36.3</a>
 */
final class GrpcProbes {
  private static final String CHECK = "/grpc.health.v1.Health/Check";

  /** Compression flag and length before a message. */
  private static final int PREFIX = 5;

  private static final int SERVING = 1;
  private static final List<String> STATUSES =
      List.of("UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN");
  private static final String UNIMPLEMENTED = "12";
  private static final List<String> CODES =
      List.of(
          "OK",
          "Canceled",
          "Unknown",
          "InvalidArgument",
          "DeadlineExceeded",
          "NotFound",
          "AlreadyExists",
          "PermissionDenied",
          "ResourceExhausted",
          "FailedPrecondition",
          "Aborted",
          "OutOfRange",
          "Unimplemented",
          "Internal",
          "Unavailable",
          "DataLoss",
          "Unauthenticated");

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
        .compose(response -> response.body().map(body -> judge(body, response)))
        .otherwise(
            failure ->
                ProbeResult.failure(
                    "timeout: failed to connect service \"%s:%d\" within %ds: %s"
                        .formatted(
                            podIP, grpc.port(), seconds, ConnectionFailures.reason(failure))));
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

  private static ProbeResult judge(Buffer body, HttpClientResponse response) {
    String code = either(response, "grpc-status");
    if (!"0".equals(code)) {
      String message = decoded(either(response, "grpc-message"));
      return ProbeResult.failure(
          UNIMPLEMENTED.equals(code)
              ? "error: this server does not implement the grpc health protocol"
                  + " (grpc.health.v1.Health): "
                  + message
              : "error: health rpc probe failed: rpc error: code = %s desc = %s"
                  .formatted(name(CODES, code), message));
    }
    boolean known = body.length() >= PREFIX + 2 && body.getByte(PREFIX) == STATUS;
    int status = known ? body.getByte(PREFIX + 1) : 0;
    return status == SERVING
        ? ProbeResult.SUCCESS
        : ProbeResult.failure(
            "service unhealthy (responded with \"%s\")"
                .formatted(name(STATUSES, Integer.toString(status))));
  }

  /** A failed call may have its status in its only headers. */
  private static String either(HttpClientResponse response, String name) {
    String trailer = response.getTrailer(name);
    String found = trailer == null ? response.getHeader(name) : trailer;
    return found == null ? "" : found;
  }

  /** Text of a header: {@code %} and two digits for each byte that is not printable. */
  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  private static String name(List<String> names, String number) {
    try {
      return names.get(Integer.parseInt(number));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return number.isEmpty() ? "Unknown" : number;
    }
  }
}
