package dev.vertlet.provider;

import io.vertx.core.Future;
import io.vertx.core.VertxException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a provider refuses. Anything else a Future fails with counts as {@link Kind#TEMPORARY}. */
public final class ProviderException extends VertxException {
  /** Decides what vertlet does next. */
  public enum Kind {
    /** The back end does not know the pod or container: a delete is done, a lookup answers 404. */
    NOT_FOUND,
    /** The pod can never run here: it becomes Failed once and is not retried. */
    INVALID,
    /** The provider does not offer this; users see 501. */
    UNSUPPORTED,
    /** Tried again with back-off for as long as the pod wants it. */
    TEMPORARY
  }

  /** Failures are wrapped by CompletableFutures and clients, hardly ever deeper than this. */
  private static final int DEEPEST = 16;

  private final Kind kind;
  private final String reason;

  /**
   * @param reason a CamelCase word for statuses and events, for example {@code ProviderFailed}
   * @param message for people
   */
  public ProviderException(Kind kind, String reason, String message) {
    super(message, true);
    // code that is compiled without these checks must not get a null further than here
    this.kind = Objects.requireNonNullElse(kind, Kind.TEMPORARY);
    this.reason = Objects.requireNonNullElse(reason, "");
  }

  /** What a method answers that is not offered. */
  static <T> Future<T> unsupported(String reason, String message) {
    return Future.failedFuture(new ProviderException(Kind.UNSUPPORTED, reason, message));
  }

  public Kind kind() {
    return kind;
  }

  public String reason() {
    return reason;
  }

  /** The kind of any failure: TEMPORARY unless it, or what caused it, says otherwise. */
  public static Kind kindOf(Throwable failure) {
    ProviderException said = find(failure);
    return said == null ? Kind.TEMPORARY : said.kind;
  }

  /** The reason that a failure, or what caused it, gives; else the other one. */
  public static String reasonOf(Throwable failure, String otherwise) {
    ProviderException said = find(failure);
    return said == null || said.reason.isEmpty() ? otherwise : said.reason;
  }

  private static @Nullable ProviderException find(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (cause instanceof ProviderException said) {
        return said;
      }
      cause = cause.getCause();
    }
    return null;
  }
}
