package dev.vertlet.model.container;

/** {@code spec.restartPolicy} of a pod, or of a container with a policy of its own. */
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

  /**
   * Returns the policy spelled {@code text}; any other text is {@code Always}, the API's default.
   */
  public static RestartPolicy of(String text) {
    for (RestartPolicy policy : values()) {
      if (policy.text.equals(text)) {
        return policy;
      }
    }
    return ALWAYS;
  }
}
