package dev.vertlet.api.route;

import dev.vertlet.auth.AccessDeniedException;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.VertxException;
import io.vertx.core.eventbus.ReplyException;

/** Error response. It is an expected outcome and has no stack trace. */
public final class HttpFailure extends VertxException {
  private final int status;
  private final String text;

  public HttpFailure(int status, String text) {
    super(text, null, true);
    this.status = status;
    this.text = text;
  }

  public int status() {
    return status;
  }

  public String text() {
    return text;
  }

  /** Creates the response for an unknown node. */
  static HttpFailure notServed(String node) {
    return new HttpFailure(404, "node " + node + " is not served here");
  }

  /** Maps any failure to a response. */
  public static HttpFailure of(Throwable failure) {
    if (failure instanceof HttpFailure known) {
      return known;
    }
    if (failure instanceof AccessDeniedException denied) {
      return new HttpFailure(denied.status(), denied.text());
    }
    if (failure instanceof ReplyException) {
      return new HttpFailure(503, "the pods of the node are not known yet");
    }
    String message = failure.getMessage();
    return new HttpFailure(
        switch (ProviderException.kindOf(failure)) {
          case NOT_FOUND -> 404;
          case INVALID -> 400;
          case UNSUPPORTED -> 501;
          case TEMPORARY -> 500;
        },
        message == null ? failure.getClass().getSimpleName() : message);
  }
}
