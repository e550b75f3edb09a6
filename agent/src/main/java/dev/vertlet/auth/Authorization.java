package dev.vertlet.auth;

import dev.vertlet.problem.Problems;
import java.time.Duration;

/**
 * How it is decided what users of the kubelet's HTTPS server may do. The keys are those of a
 * kubelet's configuration.
 *
 * @param cacheAuthorizedTTL how long a yes holds, 0 to 1 h; 0 asks each time
 * @param cacheUnauthorizedTTL how long a no holds, 0 to 1 h; 0 asks each time
 */
public record Authorization(Mode mode, Duration cacheAuthorizedTTL, Duration cacheUnauthorizedTTL) {
  /** A kubelet's: the API server is asked, a yes holds for 5 min, a no for 30 s. */
  public static final Authorization DEFAULTS =
      new Authorization(Mode.WEBHOOK, Duration.ofMinutes(5), Duration.ofSeconds(30));

  /** Who decides. */
  public enum Mode {
    /** The API server, asked with a SubjectAccessReview. */
    WEBHOOK,
    /** Whoever is known may do everything. */
    ALWAYS_ALLOW
  }

  /**
   * @throws RefusedSettingsException that names keys, values and what is allowed
   */
  public Authorization {
    Problems problems = new Problems();
    Authentication.checkTtl("cacheAuthorizedTTL", cacheAuthorizedTTL, problems);
    Authentication.checkTtl("cacheUnauthorizedTTL", cacheUnauthorizedTTL, problems);
    problems.done(RefusedSettingsException::new);
  }
}
