package dev.vertlet.auth;

import dev.vertlet.problem.Problems;
import dev.vertlet.problem.RefusedSettingsException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Authentication settings of the kubelet's HTTPS server.
 *
 * @param anonymous whether requests without credentials are served as {@code system:anonymous}
 * @param clientCAFile authorities of client certificates in PEM; null for those that the cluster
 *     publishes for extension API servers
 * @param webhook whether the API server reviews bearer tokens
 * @param webhookCacheTTL lifetime of a cached token review, 0 to 1 h; 0 disables the cache
 */
public record Authentication(
    boolean anonymous, @Nullable Path clientCAFile, boolean webhook, Duration webhookCacheTTL) {
  /** A token or a right that was withdrawn must end within a time that people wait for. */
  private static final Duration LONGEST_TTL = Duration.ofHours(1);

  /** A kubelet's: 2 min. */
  public static final Authentication DEFAULTS =
      new Authentication(false, null, true, Duration.ofMinutes(2));

  /**
   * @throws RefusedSettingsException with key, value and what is allowed
   */
  public Authentication {
    Problems problems = new Problems();
    checkTtl("webhookCacheTTL", webhookCacheTTL, problems);
    problems.done(RefusedSettingsException::new);
  }

  /** For how long an answer of the API server may hold. */
  static void checkTtl(String key, Duration value, Problems problems) {
    problems.that(
        !value.isNegative() && value.compareTo(LONGEST_TTL) <= 0,
        key,
        value.toString(),
        "must be from \"0s\" to \"1h\"");
  }
}
