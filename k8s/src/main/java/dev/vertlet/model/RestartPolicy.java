package dev.vertlet.model;

/** {@code spec.restartPolicy} of a pod, or of one container where it has its own. */
public enum RestartPolicy {
  ALWAYS("Always"),
  ON_FAILURE("OnFailure"),
  NEVER("Never");

  private final String text;

  RestartPolicy(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** The policy spelled {@code text}; anything else is {@code Always}, the API's default. */
  public static RestartPolicy of(String text) {
    for (RestartPolicy policy : values()) {
      if (policy.text.equals(text)) {
        return policy;
      }
    }
    return ALWAYS;
  }
}
