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

  /** 401 for one who is not known, 403 for one who may not, 500 when it cannot be told. */
  public int status() {
    return status;
  }

  /** Body of the answer, in a kubelet's words. */
  public String text() {
    return text;
  }
}
