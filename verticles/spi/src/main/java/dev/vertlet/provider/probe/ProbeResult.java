package dev.vertlet.provider.probe;

/**
 * Result of a probe.
 *
 * @param output for people: output of a command, or why a request failed
 */
public record ProbeResult(Outcome outcome, String output) {
  public static final ProbeResult SUCCESS = new ProbeResult(Outcome.SUCCESS, "");

  /** Outcome of a probe. */
  public enum Outcome {
    SUCCESS,
    /** Success with a warning, for example a redirect to another host. */
    WARNING,
    FAILURE
  }

  public static ProbeResult failure(String output) {
    return new ProbeResult(Outcome.FAILURE, output);
  }

  public static ProbeResult warning(String output) {
    return new ProbeResult(Outcome.WARNING, output);
  }
}
