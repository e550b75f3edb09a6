package dev.vertlet.cri.wire;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/2 connection to a socket, opened by the first call and again by the first one after it
 * was lost. Calls are made on one event loop and share the connection. Methods that the runtime
 * lacks are logged once each.
 */
public final class GrpcChannel {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcChannel.class);

  /** For calls without an end, such as pulls and subscriptions. */
  public static final Duration NO_DEADLINE = Duration.ZERO;

  /** Receive window, so that a large list does not need a round trip for every 64 KiB. */
  private static final int WINDOW = 4 << 20;

  private static final int CONNECT_MILLIS = 5000;

  private final Vertx vertx;
  private final HttpClientAgent client;
  private final SocketAddress address;
  private final Path socket;
  private final Set<String> missing = new HashSet<>();
  private long connections;

  /**
   * @param socket path of a Unix domain socket
   */
  public GrpcChannel(Vertx vertx, Path socket) {
    this.vertx = vertx;
    this.socket = socket;
    this.address = SocketAddress.domainSocketAddress(socket.toString());
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setHttp2ClearTextUpgrade(false)
            .setHttp2ConnectionWindowSize(WINDOW)
            .setConnectTimeout(CONNECT_MILLIS);
    options.getInitialSettings().setInitialWindowSize(WINDOW);
    // nothing is sent to a client that did not ask: some servers close a connection over pushes
    options.getInitialSettings().setPushEnabled(false);
    this.client =
        vertx
            .httpClientBuilder()
            .with(options)
            .with(new PoolOptions().setHttp2MaxSize(1))
            .withConnectHandler(made -> connections++)
            .build();
  }

  /** Path of the socket. */
  public Path socket() {
    return socket;
  }

  /**
   * Makes a call with one answer.
   *
   * @param path {@code /package.Service/Method}
   * @param deadline after which the call is cancelled; {@link #NO_DEADLINE} for none
   * @return fails with a {@link GrpcException} in any case
   */
  Future<Buffer> call(String path, Buffer message, Duration deadline) {
    GrpcCall call = new GrpcCall(vertx, socket, deadline, true, one -> {});
    return call.begin(client, options(path, deadline), message)
        .onFailure(failure -> logMissing(path, failure))
        .compose(
            end -> {
              Buffer answer = call.answer();
              return answer == null
                  ? Future.failedFuture(
                      new GrpcException(GrpcStatus.INTERNAL, "the runtime sent no answer"))
                  : Future.succeededFuture(answer);
            });
  }

  /**
   * Makes a call with a stream of answers.
   *
   * @param messages called with each answer
   * @return completes when the server has ended the stream; fails with a {@link GrpcException}
   */
  Subscription subscribe(String path, Buffer message, Handler<Buffer> messages) {
    GrpcCall call = new GrpcCall(vertx, socket, NO_DEADLINE, false, messages);
    Future<Void> end =
        call.begin(client, options(path, NO_DEADLINE), message)
            .onFailure(failure -> logMissing(path, failure));
    return new Subscription(end, call::cancel);
  }

  private void logMissing(String path, Throwable failure) {
    if (GrpcException.isUnimplemented(failure) && missing.add(path)) {
      LOG.atInfo()
          .addKeyValue("method", path.substring(1))
          .addKeyValue("socket", socket)
          .addKeyValue("problem", failure.getMessage())
          .log("the container runtime does not have a method");
    }
  }

  private RequestOptions options(String path, Duration deadline) {
    RequestOptions options =
        new RequestOptions()
            .setServer(address)
            .setHost("localhost")
            .setPort(80)
            .setMethod(HttpMethod.POST)
            .setURI(path)
            .putHeader("content-type", "application/grpc")
            .putHeader("te", "trailers");
    return deadline.isZero()
        ? options
        : options.putHeader("grpc-timeout", deadline.toMillis() + "m");
  }

  /** Number of connections made so far: another one may be to another version of the runtime. */
  long connections() {
    return connections;
  }

  /** Closes the connection; calls that are not answered fail. */
  public Future<Void> close() {
    return client.close();
  }

  /**
   * A stream of answers.
   *
   * @param end completes when it has ended
   * @param cancel ends it
   */
  public record Subscription(Future<Void> end, Runnable cancel) {}
}
