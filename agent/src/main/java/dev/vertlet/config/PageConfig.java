package dev.vertlet.config;

/**
 * The page for people that is served beside health and metrics.
 *
 * @param enabled whether it is served; what it shows is counted only then
 * @param authentication who may see it, and the metrics
 */
public record PageConfig(boolean enabled, Authentication authentication) {
  /** Who may see what the agent knows. */
  public enum Authentication {
    /** Whoever reaches the port. */
    NONE("none"),
    /** Whoever has a token that the API server knows, and may {@code get nodes/metrics}. */
    TOKEN_REVIEW("tokenReview");

    private final String text;

    Authentication(String text) {
      this.text = text;
    }

    /** As in the configuration file. */
    public String text() {
      return text;
    }
  }
}
