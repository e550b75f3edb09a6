package dev.vertlet.auth;

import dev.vertlet.kube.KubeException;
import io.vertx.core.VertxException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not served. Has no stack trace: it is an expected outcome. Never holds a token.
 */
public final class AccessDeniedException extends VertxException {
  private final int status;
  private final String text;

  AccessDeniedException(int status, String text) {
    super(text, null, true);
    this.status = status;
    this.text = text;
  }

  /** For one without credentials. */
  public static AccessDeniedException unauthenticated(String text) {
    return new AccessDeniedException(401, text);
  }

  /** For one who may not, whoever it is. */
  public static AccessDeniedException forbidden(String text) {
    return new AccessDeniedException(403, text);
  }

  /** For one who has to come again: there is nobody to ask yet. */
  public static AccessDeniedException unavailable(String text) {
    return new AccessDeniedException(503, text);
  }

  /** For one whose share of questions to the API server is used up; empty for another failure. */
  static Optional<AccessDeniedException> busy(@Nullable Throwable failure) {
    return failure instanceof BusyException
        ? Optional.of(
            new AccessDeniedException(
                429, "too many requests wait for the API server's word; try again later"))
        : Optional.empty();
  }

  /** For one whose credentials may be good, as nobody could be asked; empty where they are bad. */
  static Optional<AccessDeniedException> unchecked(@Nullable Throwable failure) {
    boolean unanswered =
        failure instanceof TimeoutException
            || failure instanceof KubeException e
                && switch (e.kind()) {
                  case THROTTLED, SERVER_ERROR, TRANSPORT, TIMEOUT -> true;
                  default -> false;
                };
    return unanswered
        ? Optional.of(
            new AccessDeniedException(
                503, "the API server does not say whose the token is; try again later"))
        : busy(failure);
  }

  /**
   * 401 for one who is not known, 403 for one who may not, 429 when too many are asked about, 500
   * when it cannot be told, 503 when it cannot be told yet.
   */
  public int status() {
    return status;
  }

  /** Body of the answer, in a kubelet's words. */
  public String text() {
    return text;
  }
}
