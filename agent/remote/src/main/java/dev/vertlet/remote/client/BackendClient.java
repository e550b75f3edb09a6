package dev.vertlet.remote.client;

import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.ClientSSLOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Calls of one shard to its back end. Every answer is limited in time and size. Futures complete on
 * the context that the client was created on; use it there.
 */
public final class BackendClient {
  /** Subprotocol of every WebSocket of the contract. */
  public static final String CHANNELS = "v5.channel.k8s.io";

  /** A create at a time for each of these; more wait in the pool. */
  private static final int CALLS = 32;

  /** A call that waits longer would come too late: the SPI gives calls up after two minutes. */
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  /** Logs, sessions, the event stream and calls that wait: as many as a kubelet would serve. */
  private static final int STREAMS = 4096;

  /** Error bodies are read up to here, whatever an answer may have. */
  private static final int LONGEST_ERROR = 64 << 10;

  private static final int SWITCHING = 101;
  private static final int UNAUTHORIZED = 401;

  /** Pieces in which the contract's peers send data on a WebSocket. */
  private static final int LARGEST_FRAME = 1 << 20;

  private final Vertx vertx;
  private final RemoteSettings settings;
  private final RemoteMeters meters;
  private final BackendCredentials credentials;
  private final HttpClientAgent calls;
  private final HttpClientAgent streams;

  /** Has a new connection for each call, so that one that closes is never an old one. */
  private final HttpClientAgent single;

  private final WebSocketClient sockets;
  private final Duration longestWait;

  public BackendClient(Vertx vertx, Clock clock, RemoteSettings settings, RemoteMeters meters) {
    this(vertx, clock, settings, meters, LONGEST_WAIT);
  }

  /**
   * @param longestWait for a free connection
   */
  BackendClient(
      Vertx vertx,
      Clock clock,
      RemoteSettings settings,
      RemoteMeters meters,
      Duration longestWait) {
    this.vertx = vertx;
    this.longestWait = longestWait;
    this.settings = settings;
    this.meters = meters;
    this.credentials = new BackendCredentials(vertx, clock, settings, this::certificates);
    this.calls = vertx.createHttpClient(http(), new PoolOptions().setHttp1MaxSize(CALLS));
    this.streams = vertx.createHttpClient(http(), new PoolOptions().setHttp1MaxSize(STREAMS));
    this.single =
        vertx.createHttpClient(
            http().setKeepAlive(false), new PoolOptions().setHttp1MaxSize(STREAMS));
    WebSocketClientOptions options = secured(new WebSocketClientOptions());
    this.sockets =
        vertx.createWebSocketClient(
            options
                .setMaxConnections(STREAMS)
                .setMaxFrameSize(LARGEST_FRAME)
                .setMaxMessageSize(LARGEST_FRAME)
                // sessions may be idle for hours; the client of the session has its own limit
                .setIdleTimeout(0));
  }

  private HttpClientOptions http() {
    return secured(new HttpClientOptions()).setDecompressionSupported(false);
  }

  /** The certificates follow with the first call, and whenever their files change. */
  private <T extends ClientOptionsBase> T secured(T options) {
    options.setConnectTimeout((int) settings.callTimeout().toMillis());
    options.setSsl(settings.secure());
    if (options instanceof HttpClientOptions http) {
      http.setVerifyHost(true);
    } else if (options instanceof WebSocketClientOptions web) {
      web.setVerifyHost(true);
    }
    return options;
  }

  private Future<Void> certificates(ClientSSLOptions ssl) {
    return Future.all(
            calls.updateSSLOptions(ssl),
            streams.updateSSLOptions(ssl),
            single.updateSSLOptions(ssl),
            sockets.updateSSLOptions(ssl))
        .mapEmpty();
  }

  public RemoteSettings settings() {
    return settings;
  }

  /**
   * Makes a call and reads its whole answer.
   *
   * @return fails with a {@link ProviderException} for any status but 2xx
   */
  public Future<Answer> call(Call call) {
    return answer(call)
        .compose(
            answer ->
                answer.ok()
                    ? Future.succeededFuture(answer)
                    : Future.failedFuture(Failures.of(call, answer.status(), answer.body())));
  }

  /**
   * Sends new contents of a pod's volumes, if there are any; a back end without this call keeps the
   * first.
   */
  public Future<Void> sendContent(String path, List<VolumeContent> volumes) {
    return volumes.isEmpty()
        ? Future.succeededFuture()
        : call(Call.patch("patch", path, PodPayload.content(volumes)))
            .<Void>mapEmpty()
            .recover(
                failure ->
                    Failures.noRoute(failure)
                        ? Future.succeededFuture()
                        : Future.failedFuture(failure));
  }

  /**
   * Makes a call and reads its whole answer, of any status.
   *
   * @return fails with a {@link ProviderException} without an answer
   */
  public Future<Answer> answer(Call call) {
    RemoteMeters.Started started = meters.started(call.operation());
    return attempt(call)
        .recover(failure -> again(call, failure) ? attempt(call) : Future.failedFuture(failure))
        .compose(answer -> authorized(call, answer))
        .onComplete(
            done -> started.ended(done.succeeded() ? String.valueOf(done.result().status()) : ""))
        .recover(failure -> Future.failedFuture(Failures.broken(call, failure)));
  }

  /** A kept connection may have been closed by the back end just when the request was sent. */
  private static boolean again(Call call, Throwable failure) {
    return call.repeats() && failure instanceof HttpClosedException;
  }

  /** Credentials that were replaced are read at once, and the call repeated once. */
  private Future<Answer> authorized(Call call, Answer answer) {
    return mayRenew(answer.status())
        ? credentials.read().compose(read -> attempt(call))
        : Future.succeededFuture(answer);
  }

  private boolean mayRenew(int status) {
    return status == UNAUTHORIZED && credentials.inFiles();
  }

  private Future<Answer> attempt(Call call) {
    Promise<Answer> result = Promise.promise();
    open(call, client(call), result, settings.callTimeout().plus(call.extra()))
        .onFailure(result::tryFail)
        .onSuccess(response -> read(response, settings.maxAnswerBytes(), result));
    return result.future();
  }

  private HttpClient client(Call call) {
    if (!call.repeats()) {
      return single;
    }
    // a call that waits for a pull or the end of a container takes no connection of the others
    return call.extra().isZero() ? calls : streams;
  }

  /**
   * Sends a request.
   *
   * @param result its failure, or the limit, resets the request
   */
  private Future<HttpClientResponse> open(
      Call call, HttpClient client, Promise<?> result, Duration limit) {
    Promise<HttpClientRequest> made = Promise.promise();
    long waiting = limit(result, longestWait, "no free connection");
    made.future()
        .onSuccess(
            request -> {
              vertx.cancelTimer(waiting);
              limit(result, limit, "no answer");
            });
    result.future().onFailure(failure -> made.future().onSuccess(HttpClientRequest::reset));
    return credentials
        .header()
        .compose(
            header -> {
              RequestOptions options =
                  settings.address(new RequestOptions().setMethod(call.method()), call.target());
              headers(call, header).forEach(options::putHeader);
              return client.request(options);
            })
        .onComplete(made)
        .compose(
            request ->
                call.body() == null
                    ? request.send()
                    : request
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .send(call.body()));
  }

  /** Fails the result after the limit; returns the timer that does it. */
  private long limit(Promise<?> result, Duration limit, String what) {
    long timer =
        vertx.setTimer(
            limit.toMillis(),
            id ->
                result.tryFail(
                    new ProviderException(
                        Kind.TEMPORARY,
                        "BackendTimeout",
                        what + " within " + limit.toMillis() + " ms")));
    result.future().onComplete(done -> vertx.cancelTimer(timer));
    return timer;
  }

  private static MultiMap headers(Call call, String authorization) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    headers.add(HttpHeaders.USER_AGENT, "vertlet");
    call.headers().forEach((name, value) -> headers.set(name, value));
    if (!authorization.isEmpty()) {
      headers.set(HttpHeaders.AUTHORIZATION, authorization);
    }
    return headers;
  }

  /** Reads an answer up to the limit. */
  private static void read(HttpClientResponse response, int limit, Promise<Answer> result) {
    Buffer body = Buffer.buffer();
    response.handler(
        piece -> {
          if (body.length() + piece.length() > limit) {
            result.tryFail(
                new ProviderException(
                    Kind.TEMPORARY,
                    "AnswerTooLarge",
                    "the answer is larger than " + limit + " bytes"));
          } else {
            body.appendBuffer(piece);
          }
        });
    response.exceptionHandler(result::tryFail);
    response.endHandler(
        end -> result.tryComplete(new Answer(response.statusCode(), response.headers(), body)));
  }

  /** An answer that is read bit by bit, and the way to end it early. */
  public record Opened(HttpClientResponse response, Runnable close) {}

  /**
   * Begins a call whose answer has no end that is known: the event stream, a log.
   *
   * @return the paused answer; fails with a {@link ProviderException} for any status but 2xx
   */
  public Future<Opened> open(Call call) {
    RemoteMeters.Started started = meters.started(call.operation());
    return begin(call)
        .recover(failure -> again(call, failure) ? begin(call) : Future.failedFuture(failure))
        .compose(
            response ->
                mayRenew(response.statusCode())
                    ? credentials.read().compose(read -> begin(call))
                    : Future.succeededFuture(response))
        .onComplete(
            done ->
                started.ended(done.succeeded() ? String.valueOf(done.result().statusCode()) : ""))
        .compose(response -> opened(call, response))
        .recover(failure -> Future.failedFuture(Failures.broken(call, failure)));
  }

  private Future<HttpClientResponse> begin(Call call) {
    Promise<HttpClientResponse> result = Promise.promise();
    open(call, streams, result, settings.callTimeout())
        .onFailure(result::tryFail)
        .onSuccess(
            response -> {
              response.pause();
              if (!result.tryComplete(response)) {
                response.request().reset();
              }
            });
    return result.future();
  }

  private Future<Opened> opened(Call call, HttpClientResponse response) {
    if (response.statusCode() / 100 == 2) {
      return Future.succeededFuture(new Opened(response, () -> response.request().reset()));
    }
    Promise<Answer> error = Promise.promise();
    limit(error, settings.callTimeout(), "no end of the answer");
    read(response, LONGEST_ERROR, error);
    response.resume();
    return error
        .future()
        .onFailure(failure -> response.request().reset())
        .compose(answer -> Future.failedFuture(Failures.of(call, answer.status(), answer.body())));
  }

  /**
   * Opens a WebSocket.
   *
   * @return the paused socket; fails with a {@link ProviderException} when the back end refuses
   */
  public Future<WebSocket> socket(String operation, String target) {
    Call call = Call.get(operation, target);
    RemoteMeters.Started started = meters.started(operation);
    return upgrade(call)
        .recover(
            failure ->
                mayRenew(status(failure))
                    ? credentials.read().compose(read -> upgrade(call))
                    : Future.failedFuture(failure))
        .onComplete(
            done -> {
              int status = done.succeeded() ? SWITCHING : status(done.cause());
              started.ended(status == 0 ? "" : String.valueOf(status));
            })
        .map(
            socket -> {
              socket.pause();
              return socket;
            })
        .recover(failure -> Future.failedFuture(refused(call, failure)));
  }

  private Future<WebSocket> upgrade(Call call) {
    return credentials
        .header()
        .compose(
            header -> {
              WebSocketConnectOptions options =
                  settings.address(new WebSocketConnectOptions(), call.target());
              options
                  .setSubProtocols(List.of(CHANNELS))
                  .setTimeout(settings.callTimeout().toMillis());
              headers(call, header).forEach(options::addHeader);
              return sockets.connect(options);
            });
  }

  /** HTTP status of a refused upgrade; 0 without one. */
  private static int status(Throwable failure) {
    return failure instanceof UpgradeRejectedException refused ? refused.getStatus() : 0;
  }

  private static Throwable refused(Call call, Throwable failure) {
    if (failure instanceof UpgradeRejectedException refused) {
      Buffer body = refused.getBody();
      return Failures.of(call, refused.getStatus(), body == null ? Buffer.buffer() : body);
    }
    return Failures.broken(call, failure);
  }

  public Future<Void> close() {
    return Future.join(calls.close(), streams.close(), single.close(), sockets.close()).mapEmpty();
  }
}
