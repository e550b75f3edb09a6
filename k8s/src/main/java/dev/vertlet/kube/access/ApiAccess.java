package dev.vertlet.kube.access;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the API server's address and of credentials. Holds no secret itself; {@link #load}
 * reads the secrets whenever they may have changed.
 *
 * @param kubeconfig the one file to use, null to search
 * @param context of the kubeconfig, null for the current context
 * @param environment as {@link System#getenv()}; read for {@code KUBECONFIG}, proxies and the
 *     in-cluster address
 * @param home directory that may contain {@code .kube/config}
 * @param serviceAccount directory of the in-cluster token and CA
 * @param fixed configuration to use unchanged, null to search
 */
public record ApiAccess(
    @Nullable Path kubeconfig,
    @Nullable String context,
    Map<String, String> environment,
    Path home,
    Path serviceAccount,
    @Nullable Config fixed) {
  private static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /**
   * Searches like kubectl and client-go: the given file, else every file of {@code KUBECONFIG},
   * else {@code ~/.kube/config}, else the Pod's service account.
   */
  public static ApiAccess discover(@Nullable Path kubeconfig, @Nullable String context) {
    return new ApiAccess(
        kubeconfig,
        context,
        Map.copyOf(System.getenv()),
        Path.of(System.getProperty("user.home", "/")),
        SERVICE_ACCOUNT,
        null);
  }

  /**
   * Uses a known address and token.
   *
   * @param url {@code http} or {@code https}, with an optional path prefix
   * @param token empty for none
   */
  public static ApiAccess of(String url, String token) {
    AccessSnapshot.requireHttp(url, "given configuration");
    return of(
        new ConfigBuilder(Config.empty()).withMasterUrl(url).withAutoOAuthToken(token).build());
  }

  /** Uses a given configuration; it is never read again. */
  public static ApiAccess of(Config config) {
    return new ApiAccess(
        null, null, Map.of(), Path.of("/nonexistent"), Path.of("/nonexistent"), config);
  }

  /** Leaves out the environment and the configuration, which may hold secrets. */
  @Override
  public String toString() {
    return "ApiAccess[kubeconfig=" + kubeconfig + ", context=" + context + "]";
  }

  /**
   * Reads the configuration. Reads files and runs the exec plugin, so it blocks: never call it on
   * an event loop.
   *
   * @throws dev.vertlet.kube.AccessException when there is no usable configuration
   */
  public AccessSnapshot load() {
    Config known = fixed;
    if (known != null) {
      return AccessSnapshot.of(known, "given configuration", environment);
    }
    return new AccessSearch(this).load();
  }
}
