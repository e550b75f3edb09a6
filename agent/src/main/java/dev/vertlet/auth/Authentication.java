package dev.vertlet.auth;

import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How users of the kubelet's HTTPS server are known.
 *
 * @param anonymous serves those without credentials as {@code system:anonymous}
 * @param clientCAFile authorities of client certificates in PEM; null for those that the cluster
 *     publishes for extension API servers
 * @param webhook has bearer tokens reviewed by the API server
 * @param webhookCacheTTL how long an answer about a token holds, 0 to 1 h; 0 asks each time
 */
public record Authentication(
    boolean anonymous, @Nullable Path clientCAFile, boolean webhook, Duration webhookCacheTTL) {
  /** A token or a right that was withdrawn must end within a time that people wait for. */
  private static final Duration LONGEST_TTL = Duration.ofHours(1);

  /** A kubelet's: 2 min. */
  public static final Authentication DEFAULTS =
      new Authentication(false, null, true, Duration.ofMinutes(2));

  /**
   * @throws RefusedSettingsException that names key, value and what is allowed
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
