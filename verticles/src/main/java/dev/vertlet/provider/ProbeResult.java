package dev.vertlet.provider;

/**
 * What a probe found out.
 *
 * @param output for people: what a command wrote, why a request failed
 */
public record ProbeResult(Outcome outcome, String output) {
  public static final ProbeResult SUCCESS = new ProbeResult(Outcome.SUCCESS, "");

  /** How it went. */
  public enum Outcome {
    SUCCESS,
    /** Success with a reservation, for example a redirection to another host. */
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
