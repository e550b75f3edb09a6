package dev.vertlet.auth;

import dev.vertlet.problem.Problems;
import dev.vertlet.problem.RefusedSettingsException;
import java.time.Duration;

/**
 * Authorization settings of the kubelet's HTTPS server, with the keys of a kubelet's configuration.
 *
 * @param cacheAuthorizedTTL lifetime of a positive answer, 0 to 1 h; 0 disables the cache
 * @param cacheUnauthorizedTTL lifetime of a negative answer, 0 to 1 h; 0 disables the cache
 */
public record Authorization(Mode mode, Duration cacheAuthorizedTTL, Duration cacheUnauthorizedTTL) {
  /** The defaults of a kubelet: webhook, positive answers for 5 min, negative ones for 30 s. */
  public static final Authorization DEFAULTS =
      new Authorization(Mode.WEBHOOK, Duration.ofMinutes(5), Duration.ofSeconds(30));

  public enum Mode {
    /** The API server decides, through SubjectAccessReviews. */
    WEBHOOK,
    /** Every authenticated user may do everything. */
    ALWAYS_ALLOW
  }

  /**
   * @throws RefusedSettingsException with keys, values and what is allowed
   */
  public Authorization {
    Problems problems = new Problems();
    Authentication.checkTtl("cacheAuthorizedTTL", cacheAuthorizedTTL, problems);
    Authentication.checkTtl("cacheUnauthorizedTTL", cacheUnauthorizedTTL, problems);
    problems.done(RefusedSettingsException::new);
  }
}
