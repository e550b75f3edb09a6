package dev.vertlet.payload;

import dev.vertlet.config.OneLine;
import java.util.List;
import java.util.stream.Collectors;

/** A payload that cannot be run. */
public final class PayloadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Of one problem: a payload may have keys of any length. */
  private static final int LONGEST = 1_000;

  private final Reason reason;

  /**
   * @param problems all that was found, at least one; never a payload's text beyond the values they
   *     are about
   */
  PayloadException(Reason reason, List<String> problems) {
    super(
        problems.stream()
            .map(problem -> OneLine.of(problem, LONGEST))
            .collect(Collectors.joining("; ")),
        null,
        false,
        false);
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
