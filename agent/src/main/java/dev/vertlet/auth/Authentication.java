package dev.vertlet.auth;

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
  /** The default of a kubelet: 2 min. */
  public static final Authentication DEFAULTS =
      new Authentication(false, null, true, Duration.ofMinutes(2));

  /**
   * @throws RefusedSettingsException with key, value and what is allowed
   */
  public Authentication {
    new SettingsCheck().ttl("webhookCacheTTL", webhookCacheTTL).done();
  }
}
