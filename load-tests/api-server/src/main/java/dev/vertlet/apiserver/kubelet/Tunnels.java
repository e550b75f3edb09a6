package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.impl.Http1xServerConnection;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that become connections: the request goes to the kubelet as it is, and once the kubelet
 * has switched protocols, bytes go through in both directions until either side has gone. On the
 * server's event loop.
 *
 * <p>An {@code HttpClient} does not do it: it has no upgrade of a POST, which is what SPDY clients
 * send.
 */
public final class Tunnels {
  private static final Logger LOG = LoggerFactory.getLogger(Tunnels.class);

  private final NetClient client;
  private final ClientSSLOptions asApiServer;
  private final ClientSSLOptions asNobody;
  private final Consumer<HttpConnection> onSwitch;
  private final Set<NetSocket> open = new LinkedHashSet<>();

  Tunnels(
      Vertx vertx,
      PemKeyCertOptions identity,
      Duration connectTimeout,
      Consumer<HttpConnection> onSwitch) {
    this.onSwitch = onSwitch;
    this.client =
        vertx.createNetClient(
            new NetClientOptions().setConnectTimeout((int) connectTimeout.toMillis()));
    this.asApiServer = ssl().setKeyCertOptions(identity);
    this.asNobody = ssl();
  }

  private static ClientSSLOptions ssl() {
    return new ClientSSLOptions().setTrustAll(true).setHostnameVerificationAlgorithm("");
  }

  /** Whether a request asks to become something else. */
  public static boolean isUpgrade(HttpServerRequest request) {
    return request.headers().getAll("connection").stream()
        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"));
  }

  /** How many connections run through here. */
  public int size() {
    return open.size();
  }

  /** Closes all of them. */
  public void close() {
    List.copyOf(open).forEach(Tunnels::close);
  }

  /**
   * Passes an upgrade on.
   *
   * @param request HTTP/1.1; its body has been read
   * @return completes when the client is connected, or has the kubelet's refusal; fails with an
   *     {@link ApiException} as long as the client can still be told
   */
  public Future<Void> open(HttpServerRequest request, Buffer body, Location to) {
    if (!(request.connection() instanceof Http1xServerConnection connection)) {
      return Future.failedFuture(ApiException.badRequest("Upgrade request required"));
    }
    ConnectOptions options = new ConnectOptions().setHost(to.host()).setPort(to.port());
    if (to.tls()) {
      options.setSsl(true).setSslOptions(to.asApiServer() ? asApiServer : asNobody);
    }
    return client
        .connect(options)
        .recover(
            e ->
                Future.failedFuture(
                    Failures.plain("error dialing backend: " + Failures.dial(to, e))))
        .compose(
            kubelet -> {
              HttpServerResponse response = request.response();
              if (response.closed()) {
                close(kubelet);
                return Future.succeededFuture();
              }
              response.closeHandler(gone -> close(kubelet));
              Future<UpgradeAnswer> answered = answer(kubelet);
              kubelet
                  .write(head(request, body, to).appendBuffer(body))
                  .onFailure(e -> close(kubelet));
              return answered
                  .onFailure(e -> close(kubelet))
                  .compose(answer -> goOn(request, connection, kubelet, answer));
            });
  }

  private static Buffer head(HttpServerRequest request, Buffer body, Location to) {
    MultiMap headers = Headers.passedOn(request);
    if (body.length() > 0) {
      headers.remove("transfer-encoding").set("content-length", Integer.toString(body.length()));
    }
    StringBuilder text = new StringBuilder();
    text.append(request.method()).append(' ').append(to.uri()).append(" HTTP/1.1\r\n");
    headers.forEach(
        header ->
            text.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n"));
    return Buffer.buffer(text.append("\r\n").toString());
  }

  /** What the kubelet says first; afterwards its connection is paused. */
  private static Future<UpgradeAnswer> answer(NetSocket kubelet) {
    Promise<UpgradeAnswer> promise = Promise.promise();
    UpgradeAnswer answer = new UpgradeAnswer();
    kubelet.handler(
        bytes -> {
          try {
            if (answer.take(bytes)) {
              kubelet.pause();
              promise.tryComplete(answer);
            }
          } catch (IllegalArgumentException e) {
            promise.tryFail(Failures.plain(String.valueOf(e.getMessage())));
          }
        });
    kubelet.exceptionHandler(e -> LOG.debug("the connection to a kubelet broke", e));
    kubelet.closeHandler(
        closed -> {
          if (answer.end()) {
            promise.tryComplete(answer);
          } else {
            promise.tryFail(Failures.plain("unexpected EOF"));
          }
        });
    return promise.future();
  }

  private Future<Void> goOn(
      HttpServerRequest request,
      Http1xServerConnection connection,
      NetSocket kubelet,
      UpgradeAnswer answer) {
    if (answer.isSwitch()) {
      onSwitch.accept(connection);
      // not request.toNetSocket(), which refuses whatever is not a GET
      return connection
          .netSocket()
          .onSuccess(client -> join(client, kubelet, answer.bytes()))
          .mapEmpty();
    }
    close(kubelet);
    if (answer.code() < 400) {
      return Future.failedFuture(
          Failures.plain("invalid upgrade response: status code " + answer.code()));
    }
    return answer.passBack(request);
  }

  /** Lets bytes through, beginning with the kubelet's answer. */
  private void join(NetSocket client, NetSocket kubelet, Buffer first) {
    open.add(client);
    client.exceptionHandler(e -> LOG.debug("the connection of a client broke", e));
    client.closeHandler(
        closed -> {
          open.remove(client);
          close(kubelet);
        });
    kubelet.closeHandler(closed -> LOG.debug("a kubelet ended a tunnel"));
    client.write(first).onFailure(e -> close(client));
    // the end of one side ends the other, after what was sent before it
    client.pipeTo(kubelet).onFailure(e -> close(client));
    kubelet.pipeTo(client).onFailure(e -> close(client));
  }

  private static void close(NetSocket socket) {
    socket.close().onFailure(e -> LOG.debug("the connection was closed already", e));
  }
}
