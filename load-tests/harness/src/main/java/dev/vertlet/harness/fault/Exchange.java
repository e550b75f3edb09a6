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

/** One request of a client, its counterpart to the API server, and the answer. */
final class Exchange {
  private static final int SWITCHING_PROTOCOLS = 101;

  /**
   * Headers that belong to one connection and not to the message (RFC 9110 §7.6.1), or that the
   * client sets anew.
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
  private final long began = System.nanoTime();
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

  /** Applies the effect of a fault; null forwards the request. */
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
   * Forwards a change of protocol, such as a WebSocket watch: afterwards, bytes pass unread in both
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

  /** Passes the answer back, its head at once: a watch may have no event for a long time. */
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
   * Breaks off the client's answer after the server's broke off, so that it does not look complete.
   */
  private void breakOff() {
    if (!over) {
      abort();
      response.reset().onFailure(Exchange::goneAlready);
    }
  }

  /** Cancels a request whose client disconnected while the connection to the server was made. */
  private static Future<HttpClientResponse> abandon(HttpClientRequest connected) {
    return connected.reset().compose(done -> Future.failedFuture("the client has gone"));
  }

  /** Ignores failures of streams that are being closed: their end is intended. */
  static void goneAlready(Throwable cause) {
    // the peer is gone
  }

  /**
   * Cuts the client's connection when the server is gone, but not after the client's own
   * cancellation.
   */
  private void cutUnlessOver() {
    if (!over) {
      cut();
    }
  }

  /** Whether a part of the answer's body has been passed back. */
  boolean hasTold() {
    return response.bytesWritten() > 0;
  }

  /** Cuts the client's connection. */
  void cut() {
    abort();
    relay.cut(request);
  }

  /** Aborts unless the answer is complete: HTTP/2 closes a stream also after a complete answer. */
  private void abortUnlessAnswered() {
    if (!response.ended()) {
      abort();
    }
  }

  /** Cancels the request to the server; no more bytes pass in either direction. */
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
    if (code != SWITCHING_PROTOCOLS) {
      relay.took(api, System.nanoTime() - began);
    }
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
