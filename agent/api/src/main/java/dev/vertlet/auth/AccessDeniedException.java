package dev.vertlet.auth;

import dev.vertlet.kube.KubeException;
import io.vertx.core.VertxException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Rejection of a request. Expected, hence without a stack trace; it never contains a token. */
public final class AccessDeniedException extends VertxException {
  private final int status;
  private final String text;

  AccessDeniedException(int status, String text) {
    super(text, null, true);
    this.status = status;
    this.text = text;
  }

  /** Rejects a request without valid credentials: 401. */
  public static AccessDeniedException unauthenticated(String text) {
    return new AccessDeniedException(401, text);
  }

  /** Rejects a request that the user may not make: 403. */
  public static AccessDeniedException forbidden(String text) {
    return new AccessDeniedException(403, text);
  }

  /** Rejects a request while no authenticator is available yet: 503. */
  public static AccessDeniedException unavailable(String text) {
    return new AccessDeniedException(503, text);
  }

  /** Rejects a client whose share of API server queries is used up; empty for other failures. */
  static Optional<AccessDeniedException> busy(@Nullable Throwable failure) {
    return failure instanceof BusyException
        ? Optional.of(
            new AccessDeniedException(
                429, "too many requests wait for the API server's word; try again later"))
        : Optional.empty();
  }

  /** Rejects a request whose credentials could not be checked; empty when they are invalid. */
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
   * Returns 401 for an unauthenticated and 403 for an unauthorized request, 429 when too many
   * checks are pending, 500 when the check fails, 503 when it cannot be made yet.
   */
  public int status() {
    return status;
  }

  /** Returns the body of the response, in a kubelet's words. */
  public String text() {
    return text;
  }
}
