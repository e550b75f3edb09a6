package dev.vertlet.payload;

import dev.vertlet.problem.OneLine;
import java.util.List;

/** A payload that cannot be run. */
public final class PayloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /**
   * @param problems all that was found, at least one; never a payload's text beyond the values they
   *     are about
   */
  PayloadException(Reason reason, List<String> problems) {
    super(String.join("; ", OneLine.first(problems)), null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** At which step a kubelet would have refused it. */
  public enum Reason {
    /** It cannot be decoded: no text, syntax, another kind, wrong types. */
    LOAD,
    /** It says something that is not allowed. */
    VALIDATE
  }
}
