package dev.vertlet.model.status;

/** {@code status.phase}. {@code Unknown} is decoded but never produced. */
public enum PodPhase {
  PENDING("Pending"),
  RUNNING("Running"),
  SUCCEEDED("Succeeded"),
  FAILED("Failed"),
  UNKNOWN("Unknown");

  private final String text;

  PodPhase(String text) {
    this.text = text;
  }

  /** The API's spelling. */
  public String text() {
    return text;
  }

  /** Whether the phase is Succeeded or Failed: no container of the pod will ever run again. */
  public boolean terminal() {
    return this == SUCCEEDED || this == FAILED;
  }

  /**
   * Returns the phase spelled {@code text}; an absent or unknown spelling is {@code Pending}, the
   * API server's default.
   */
  public static PodPhase of(String text) {
    for (PodPhase phase : values()) {
      if (phase.text.equals(text)) {
        return phase;
      }
    }
    return PENDING;
  }
}
