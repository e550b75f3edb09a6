package dev.vertlet.auth;

import io.vertx.core.VertxException;

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

  /** For one who has to come again: there is nobody to ask yet. */
  public static AccessDeniedException unavailable(String text) {
    return new AccessDeniedException(503, text);
  }

  /**
   * 401 for one who is not known, 403 for one who may not, 500 when it cannot be told, 503 when it
   * cannot be told yet.
   */
  public int status() {
    return status;
  }

  /** Body of the answer, in a kubelet's words. */
  public String text() {
    return text;
  }
}
