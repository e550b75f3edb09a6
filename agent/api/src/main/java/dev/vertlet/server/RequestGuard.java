package dev.vertlet.server;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Wraps the handler of a server: rejects malformed requests and answers requests whose handler
 * throws, with at most one log line per minute. Without it, such a client would wait for ever.
 * Confined to one context.
 */
public final class RequestGuard implements Handler<HttpServerRequest> {
  private final Handler<HttpServerRequest> served;
  private final Refusal refusal;
  private final RateLimitedLog failures;

  /** Writes an error response in the server's format. */
  @FunctionalInterface
  public interface Refusal {
    /**
     * @param status 400 or 500
     * @param text one line without a line break
     */
    void answer(HttpServerRequest request, int status, String text);
  }

  public RequestGuard(Handler<HttpServerRequest> served, Refusal refusal, Logger log) {
    this.served = served;
    this.refusal = refusal;
    this.failures = new RateLimitedLog(log, "a request could not be served", System::nanoTime);
  }

  @Override
  public void handle(HttpServerRequest request) {
    Optional<String> problem = RequestCheck.problem(request);
    if (problem.isPresent()) {
      refusal.answer(request, 400, problem.get());
      return;
    }
    try {
      served.handle(request);
    } catch (RuntimeException e) {
      failed(request, e);
    }
  }

  /** Handles a later failure: answers 500, or resets a response that has begun. */
  public void failed(HttpServerRequest request, Throwable failure) {
    failures.warn(client(request), failure);
    HttpServerResponse response = request.response();
    if (response.headWritten() && !response.ended()) {
      response.reset();
    } else if (!response.ended() && !response.closed()) {
      refusal.answer(request, 500, "the request could not be served; see the log");
    }
  }

  private static String client(HttpServerRequest request) {
    SocketAddress address = request.remoteAddress();
    return address == null ? "" : String.valueOf(address.hostAddress());
  }
}
