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

/**
 * One HTTP/2 connection to a socket, opened by the first call and again by the first one after it
 * was lost. Calls are made on one event loop and share the connection.
 */
public final class GrpcChannel {
  /** For calls without an end, such as pulls and subscriptions. */
  public static final Duration NO_DEADLINE = Duration.ZERO;

  /** Receive window, so that a large list does not need a round trip for every 64 KiB. */
  private static final int WINDOW = 4 << 20;

  private static final int CONNECT_MILLIS = 5000;

  private final Vertx vertx;
  private final HttpClientAgent client;
  private final SocketAddress address;
  private final Path socket;

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
    this.client = vertx.createHttpClient(options, new PoolOptions().setHttp2MaxSize(1));
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
    Future<Void> end = call.begin(client, options(path, NO_DEADLINE), message);
    return new Subscription(end, call::cancel);
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
