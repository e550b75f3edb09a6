package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.websocket.WebSocketUpgrade;
import dev.vertlet.apiserver.websocket.WebSockets;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpResponseExpectation;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.streams.Pipe;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes requests on to kubelets and pods and their answers back, with back-pressure; a client that
 * leaves ends what was begun for it. On the server's event loop. Futures complete there when the
 * answer is over, and fail with an {@link ApiException} as long as the client can still be told.
 */
public final class KubeletClient {
  private static final Logger LOG = LoggerFactory.getLogger(KubeletClient.class);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  /** Each log that is followed keeps one. */
  private static final int MOST_CONNECTIONS = 10_000;

  /** HTTP/2 CANCEL. */
  private static final long CANCEL = 8;

  /** Statuses that have no body. */
  private static final Set<Integer> EMPTY = Set.of(204, 304);

  /** Headers that belong to one connection; and those of browsers' checks, which are ours. */
  private static final Set<String> NOT_PASSED_BACK =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "access-control-allow-credentials",
          "access-control-allow-headers",
          "access-control-allow-methods",
          "access-control-allow-origin");

  private final HttpClient kubelets;
  private final HttpClient pods;
  private final Tunnels tunnels;
  private final WebSockets sockets;

  /**
   * @param identity what the server shows to kubelets
   * @param onSwitch told of each connection of a client that carries HTTP no longer
   * @param sockets for those who read logs over a WebSocket
   */
  public KubeletClient(
      Vertx vertx,
      PemKeyCertOptions identity,
      Consumer<HttpConnection> onSwitch,
      WebSockets sockets) {
    this.sockets = sockets;
    this.kubelets = client(vertx, options().setSsl(true).setKeyCertOptions(identity));
    this.pods = client(vertx, options());
    this.tunnels = new Tunnels(vertx, identity, CONNECT_TIMEOUT, onSwitch);
  }

  private static HttpClientOptions options() {
    return new HttpClientOptions()
        .setTrustAll(true)
        .setVerifyHost(false)
        .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis())
        .setDecompressionSupported(false);
  }

  private static HttpClient client(Vertx vertx, HttpClientOptions options) {
    return vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS));
  }

  /** The ways of requests that become connections. */
  public Tunnels tunnels() {
    return tunnels;
  }

  /**
   * Answers with a container's log.
   *
   * @param pod name of the pod, for the Status when the kubelet refuses
   */
  public Future<Void> log(HttpServerRequest client, Location to, String pod) {
    return kubelets
        .request(request(HttpMethod.GET, to, HttpHeaders.headers()))
        .compose(request -> sent(client, request, Buffer.buffer()))
        .recover(
            e ->
                Future.failedFuture(
                    Failures.plain("Get \"%s\": %s".formatted(to, Failures.dial(to, e)))))
        .compose(
            answer -> {
              if (answer.statusCode() < 200 || answer.statusCode() > 206) {
                Future<Buffer> body = answer.body();
                answer.resume();
                return body.recover(e -> Future.failedFuture(ApiException.internal(words(e))))
                    .compose(
                        words ->
                            Future.failedFuture(
                                Failures.ofAnswer(answer.statusCode(), words, "pods/log", pod)));
              }
              if (WebSocketUpgrade.isAsked(client)) {
                return messages(client, answer);
              }
              client.response().putHeader("content-type", "text/plain");
              return passBack(client, answer);
            });
  }

  /**
   * Reads a document for this server itself. The Future fails when the kubelet does not answer
   * within the time or answers anything but 200.
   */
  public Future<Buffer> document(Location from, Duration timeout) {
    return kubelets
        .request(
            request(HttpMethod.GET, from, HttpHeaders.headers()).setTimeout(timeout.toMillis()))
        .compose(HttpClientRequest::send)
        .expecting(HttpResponseExpectation.SC_OK)
        .compose(HttpClientResponse::body);
  }

  /** Passes a request on as it is, and the answer back. */
  public Future<Void> proxy(HttpServerRequest client, Buffer body, Location to, String prefix) {
    MultiMap headers = Headers.passedOn(client);
    Headers.RESPECTED_ONCE.forEach(headers::remove);
    int query = to.uri().indexOf('?');
    headers.set("X-Forwarded-Uri", prefix + (query < 0 ? to.uri() : to.uri().substring(0, query)));
    return (to.asApiServer() ? kubelets : pods)
        .request(request(client.method(), to, headers))
        .compose(request -> sent(client, request, body))
        .recover(
            e ->
                Future.failedFuture(
                    new ApiException(
                        503,
                        "ServiceUnavailable",
                        "error trying to reach service: " + Failures.dial(to, e))))
        .compose(answer -> passOn(client, answer, to, prefix));
  }

  private static RequestOptions request(HttpMethod method, Location to, MultiMap headers) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(method)
            .setHost(to.host())
            .setPort(to.port())
            .setSsl(to.tls())
            .setURI(to.uri());
    headers.forEach(header -> options.addHeader(header.getKey(), header.getValue()));
    return options;
  }

  /** Sends a request that ends with its client. The answer waits for somebody to read it. */
  private static Future<HttpClientResponse> sent(
      HttpServerRequest client, HttpClientRequest request, Buffer body) {
    HttpServerResponse response = client.response();
    if (response.closed()) {
      cancel(request);
      return Future.failedFuture("the client has gone");
    }
    response.closeHandler(closed -> cancel(request));
    response.exceptionHandler(broken -> cancel(request));
    return request
        .send(body)
        .map(
            answer -> {
              answer.pause();
              return answer;
            });
  }

  private static void cancel(HttpClientRequest request) {
    request.reset(CANCEL).onFailure(e -> LOG.debug("the request was over already", e));
  }

  private static Future<Void> passOn(
      HttpServerRequest client, HttpClientResponse answer, Location to, String prefix) {
    HttpServerResponse response = client.response();
    response.setStatusCode(answer.statusCode());
    answer
        .headers()
        .forEach(
            header -> {
              if (!NOT_PASSED_BACK.contains(header.getKey().toLowerCase(Locale.ROOT))) {
                response.headers().add(header.getKey(), header.getValue());
              }
            });
    String moved = answer.getHeader(HttpHeaders.LOCATION);
    if (moved != null) {
      response.putHeader(HttpHeaders.LOCATION, Headers.rewritten(moved, to, prefix));
    }
    return passBack(client, answer);
  }

  private static Future<Void> passBack(HttpServerRequest client, HttpClientResponse answer) {
    HttpServerResponse response = client.response();
    if (EMPTY.contains(answer.statusCode())) {
      return response.end();
    }
    if (response.headers().get(HttpHeaders.CONTENT_LENGTH) == null) {
      response.setChunked(true);
    }
    // before the head is written: a kubelet that goes while it is would not be heard of otherwise
    Pipe<Buffer> pipe = answer.pipe().endOnFailure(false);
    return response
        .writeHead() // a log that is followed may have no line for a long time
        .compose(written -> pipe.to(response))
        .recover(
            e -> {
              LOG.debug("an answer ended before its end", e);
              cancel(answer.request());
              return response
                  .reset(CANCEL) // so that the client does not take it for whole
                  .otherwiseEmpty();
            });
  }

  /** Passes a log back over a WebSocket; who has left needs no more of it. */
  private Future<Void> messages(HttpServerRequest client, HttpClientResponse answer) {
    Pipe<Buffer> pipe = answer.pipe().endOnFailure(false);
    return sockets
        .accept(client)
        .onFailure(e -> cancel(answer.request()))
        .compose(
            socket -> {
              socket.closeHandler(closed -> cancel(answer.request()));
              return pipe.to(new LogMessages(socket))
                  .recover(
                      e -> {
                        LOG.debug("a log ended before its end", e);
                        socket.cut();
                        return Future.succeededFuture();
                      });
            });
  }

  private static String words(Throwable e) {
    return String.valueOf(e.getMessage());
  }
}
