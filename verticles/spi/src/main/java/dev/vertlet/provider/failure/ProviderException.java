package dev.vertlet.provider.failure;

import io.vertx.core.Future;
import io.vertx.core.VertxException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A provider's refusal. Any other failure of a Future counts as {@link Kind#TEMPORARY}. */
public final class ProviderException extends VertxException {
  /** Decides what vertlet does next. */
  public enum Kind {
    /**
     * The back end does not know the pod or container: a delete counts as done, a lookup answers
     * 404.
     */
    NOT_FOUND,
    /** The pod can never run here: it becomes Failed and is not retried. */
    INVALID,
    /** The provider does not offer this; clients get 501. */
    UNSUPPORTED,
    /** Retried with back-off for as long as the pod should run. */
    TEMPORARY
  }

  /** CompletableFutures and clients wrap failures, rarely deeper than this. */
  private static final int DEEPEST = 16;

  private final Kind kind;
  private final String reason;

  /**
   * Creates a refusal.
   *
   * @param reason a CamelCase word for statuses and events, for example {@code ProviderFailed}
   * @param message for people
   */
  public ProviderException(Kind kind, String reason, String message) {
    super(message, true);
    // code compiled without null checks may pass null, which must not get any further
    this.kind = Objects.requireNonNullElse(kind, Kind.TEMPORARY);
    this.reason = Objects.requireNonNullElse(reason, "");
  }

  /** Answer of a method that the provider does not offer. */
  public static <T> Future<T> unsupported(String reason, String message) {
    return Future.failedFuture(new ProviderException(Kind.UNSUPPORTED, reason, message));
  }

  public Kind kind() {
    return kind;
  }

  public String reason() {
    return reason;
  }

  /**
   * Kind of any failure: TEMPORARY unless the failure or one of its causes is a {@link
   * ProviderException} of another kind.
   */
  public static Kind kindOf(Throwable failure) {
    ProviderException said = find(failure);
    return said == null ? Kind.TEMPORARY : said.kind;
  }

  /** Reason of the failure or of one of its causes, else {@code otherwise}. */
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
