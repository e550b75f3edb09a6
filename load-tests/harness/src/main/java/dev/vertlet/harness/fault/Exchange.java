package dev.vertlet.harness.fault;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetSocket;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request of a client, its counterpart to the API server and the answer on its way back. */
final class Exchange {
  private static final int SWITCHING_PROTOCOLS = 101;

  /**
   * Belong to one connection and not to the message (RFC 9110 §7.6.1), or are made anew by the
   * client.
   */
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "transfer-encoding",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "host");

  private static final Set<HttpMethod> WITH_BODY =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

  private final HttpRelay relay;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final ApiRequest api;
  private @Nullable HttpClientRequest toServer;
  private boolean over;

  Exchange(HttpRelay relay, HttpServerRequest request, ApiRequest api) {
    this.relay = relay;
    this.request = request;
    this.response = request.response();
    this.api = api;
    request.pause();
    request.exceptionHandler(clientGone -> abort());
    response.exceptionHandler(clientGone -> abort());
    response.closeHandler(closed -> abortUnlessAnswered());
  }

  /** Does what was decided about it; null: passes it on. */
  void proceed(Fault.@Nullable Effect effect) {
    if (over || effect instanceof Fault.Hang) {
      return;
    }
    if (effect instanceof Fault.Answer answer) {
      answer(answer);
    } else if (effect instanceof Fault.Nonsense) {
      nonsense();
    } else if (effect instanceof Fault.Cut) {
      cut();
    } else if (isUpgrade()) {
      tunnel();
    } else {
      forward(effect instanceof Fault.LoseAnswer);
    }
  }

  private void answer(Fault.Answer answer) {
    request.resume();
    StatusAnswer.send(response, api, answer.code(), answer.retryAfter());
    end(answer.code());
  }

  private void nonsense() {
    request.resume();
    response
        .putHeader("Content-Type", "application/json")
        .end("nonsense\n")
        .onFailure(Exchange::goneAlready);
    end(200);
  }

  private void forward(boolean loseAnswer) {
    relay
        .connect(request)
        .compose(
            connected -> {
              toServer = connected;
              if (over) {
                return abandon(connected);
              }
              copyHead(connected);
              if (hasBody()) {
                return connected.send(request);
              }
              request.resume();
              return connected.send();
            })
        .onSuccess(
            answer -> {
              answer.exceptionHandler(cause -> breakOff());
              if (loseAnswer) {
                cut();
              } else if (!over) {
                passBack(answer);
              }
            })
        .onFailure(serverGone -> cutUnlessOver());
  }

  private boolean isUpgrade() {
    return request.version() != HttpVersion.HTTP_2
        && request.headers().contains(HttpHeaders.UPGRADE);
  }

  /**
   * A change of protocol, which WebSocket watches are: after it, bytes pass unread in both
   * directions.
   */
  private void tunnel() {
    relay
        .connect(request)
        .compose(
            connected -> {
              toServer = connected;
              if (over) {
                return abandon(connected);
              }
              copyHead(connected);
              copyUpgrade(request.headers(), connected.headers());
              return connected.connect();
            })
        .compose(
            answer -> {
              answer.exceptionHandler(cause -> breakOff());
              if (answer.statusCode() != SWITCHING_PROTOCOLS) {
                passBack(answer);
                return Future.succeededFuture();
              }
              copy(answer.headers(), response.headers());
              copyUpgrade(answer.headers(), response.headers());
              return request.toNetSocket().onSuccess(client -> join(client, answer.netSocket()));
            })
        .onFailure(serverGone -> cutUnlessOver());
  }

  private void join(NetSocket client, NetSocket server) {
    client.closeHandler(gone -> end(SWITCHING_PROTOCOLS));
    Future.join(client.pipeTo(server), server.pipeTo(client))
        .onComplete(ended -> end(SWITCHING_PROTOCOLS));
  }

  private boolean hasBody() {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length != null
        ? !length.equals("0")
        : request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
            || WITH_BODY.contains(request.method());
  }

  /** The head goes out at once: a watch may have nothing to tell for a long time. */
  private void passBack(HttpClientResponse answer) {
    response.setStatusCode(answer.statusCode());
    copy(answer.headers(), response.headers());
    boolean http1 = request.version() != HttpVersion.HTTP_2;
    if (http1 && !answer.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      response.setChunked(true);
    }
    answer.pause();
    response
        .writeHead()
        .compose(written -> answer.pipe().endOnFailure(false).to(response))
        .onSuccess(passed -> end(answer.statusCode()))
        .onFailure(brokenOff -> breakOff());
  }

  /**
   * An answer that broke off upstream has to break off here too, and not to end as if it were
   * whole.
   */
  private void breakOff() {
    if (!over) {
      abort();
      response.reset().onFailure(Exchange::goneAlready);
    }
  }

  /** The client has gone while a connection to the server was made for it. */
  private static Future<HttpClientResponse> abandon(HttpClientRequest connected) {
    return connected.reset().compose(done -> Future.failedFuture("the client has gone"));
  }

  /**
   * For failures that are to be expected of what is being given up: that it is gone is what was
   * wanted.
   */
  static void goneAlready(Throwable cause) {
    // nobody is left to tell
  }

  /**
   * A server that is gone takes the client's connection with it, but not because the client
   * cancelled.
   */
  private void cutUnlessOver() {
    if (!over) {
      cut();
    }
  }

  /** Whether any of the answer's body has been passed back. */
  boolean hasTold() {
    return response.bytesWritten() > 0;
  }

  /** Cuts the client's connection. */
  void cut() {
    abort();
    relay.cut(request);
  }

  /** A stream of HTTP/2 is closed after a whole answer too. */
  private void abortUnlessAnswered() {
    if (!response.ended()) {
      abort();
    }
  }

  /** Stops the counterpart; nothing more is passed in either direction. */
  private void abort() {
    if (over) {
      return;
    }
    over = true;
    relay.ended(this);
    if (toServer != null) {
      toServer.reset().onFailure(Exchange::goneAlready);
    }
  }

  private void end(int code) {
    if (over) {
      return;
    }
    over = true;
    relay.ended(this);
    relay.answered(api, code, request.bytesRead(), response.bytesWritten());
  }

  private void copyHead(HttpClientRequest to) {
    copy(request.headers(), to.headers());
    to.headers().remove(HttpHeaders.AUTHORIZATION);
    relay
        .upstreamAuthorization()
        .ifPresent(value -> to.headers().set(HttpHeaders.AUTHORIZATION, value));
  }

  private static void copyUpgrade(MultiMap from, MultiMap to) {
    to.set(HttpHeaders.CONNECTION, from.get(HttpHeaders.CONNECTION));
    to.set(HttpHeaders.UPGRADE, from.get(HttpHeaders.UPGRADE));
  }

  private static void copy(MultiMap from, MultiMap to) {
    from.forEach(
        (name, value) -> {
          if (!HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT)) && !name.startsWith(":")) {
            to.add(name, value);
          }
        });
  }
}
