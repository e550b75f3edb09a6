package dev.vertlet.provider;

import io.vertx.core.VertxException;

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

  private final Kind kind;
  private final String reason;

  /**
   * @param reason a CamelCase word for statuses and events, for example {@code ProviderFailed}
   * @param message for people
   */
  public ProviderException(Kind kind, String reason, String message) {
    super(message, true);
    this.kind = kind;
    this.reason = reason;
  }

  public Kind kind() {
    return kind;
  }

  public String reason() {
    return reason;
  }

  /** The kind of any failure: TEMPORARY unless it says otherwise. */
  public static Kind kindOf(Throwable failure) {
    return failure instanceof ProviderException e ? e.kind : Kind.TEMPORARY;
  }
}
