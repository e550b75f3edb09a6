package dev.vertlet.payload;

import dev.vertlet.problem.OneLine;
import java.util.List;

/** Reports an invalid payload. */
public final class PayloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /**
   * @param problems every problem, at least one; their text contains no other part of the payload
   *     than the values concerned
   */
  PayloadException(Reason reason, List<String> problems) {
    super(String.join("; ", OneLine.first(problems)), null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** Step at which a kubelet would reject the payload. */
  public enum Reason {
    /** The payload cannot be decoded: no text, syntax error, wrong kind or wrong types. */
    LOAD,
    /** The payload has a value that is not allowed. */
    VALIDATE
  }
}
