package dev.vertlet.kube;

import dev.vertlet.model.DecodeException;
import io.vertx.core.VertxException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only failure of a request or a watch. Contains the server's message, never a body or a token.
 * Has no stack trace: it is an expected outcome.
 */
public final class KubeException extends VertxException {
  /** Kind of failure, from the HTTP status and {@code metav1.Status.reason}. */
  public enum Kind {
    NOT_FOUND(Recovery.REREAD),
    /** 409, reason Conflict: stale resourceVersion, or a UID that differs from the request's. */
    CONFLICT(Recovery.REREAD),
    /** 409, reason AlreadyExists. */
    ALREADY_EXISTS(Recovery.REREAD),
    /** 410: resourceVersion or continue token too old. */
    EXPIRED(Recovery.RELIST),
    /** 429. */
    THROTTLED(Recovery.RETRY),
    UNAUTHORIZED(Recovery.REAUTHENTICATE),
    FORBIDDEN(Recovery.AUTHORIZE),
    /** 400, 405, 406, 413, 415, 422: the server understood the request and refuses it. */
    INVALID(Recovery.GIVE_UP),
    /** 5xx. */
    SERVER_ERROR(Recovery.RETRY),
    /** No answer: refused, reset, TLS, DNS, end of stream. */
    TRANSPORT(Recovery.RETRY),
    TIMEOUT(Recovery.RETRY),
    /** Given up by the caller, see {@link RequestScope}: retried if still needed. */
    CANCELLED(Recovery.RETRY),
    /** An answer that could not be decoded. */
    DECODE(Recovery.RELIST);

    private final Recovery recovery;

    Kind(Recovery recovery) {
      this.recovery = recovery;
    }
  }

  private final Kind kind;
  private final int status;
  private final String message;
  private final @Nullable Duration retryAfter;

  /**
   * Creates a failure.
   *
   * @param status HTTP status, 0 when there was no answer
   * @param retryAfter as the server asked, or null
   */
  public KubeException(
      Kind kind,
      int status,
      String message,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(message, cause, true);
    this.kind = kind;
    this.status = status;
    this.message = message;
    this.retryAfter = retryAfter;
  }

  public Kind kind() {
    return kind;
  }

  /** One line: verb, path, code and the server's message. */
  @Override
  public String getMessage() {
    return message;
  }

  /** HTTP status, 0 when there was no answer. */
  public int status() {
    return status;
  }

  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  public Recovery recovery() {
    return kind.recovery;
  }

  /**
   * Whether the wait after this failure ends as soon as the server works again: it was away, it
   * erred or it refused the credentials, and it did not say when to try again. Back-offs of all
   * else, as of a missing permission, last as long as they do.
   */
  public boolean endsWithReturn() {
    return retryAfter == null
        && switch (kind) {
          case SERVER_ERROR, TRANSPORT, TIMEOUT, UNAUTHORIZED -> true;
          default -> false;
        };
  }

  /**
   * Returns {@code failure} itself if it is a KubeException; wraps a failure of our own code while
   * handling an answer.
   */
  public static KubeException from(Throwable failure) {
    if (failure instanceof KubeException e) {
      return e;
    }
    Kind kind = failure instanceof DecodeException ? Kind.DECODE : Kind.TRANSPORT;
    return new KubeException(kind, 0, String.valueOf(failure.getMessage()), null, failure);
  }

  /** Whether {@code failure} is a KubeException of this kind. */
  public static boolean is(Throwable failure, Kind kind) {
    return failure instanceof KubeException e && e.kind == kind;
  }
}
