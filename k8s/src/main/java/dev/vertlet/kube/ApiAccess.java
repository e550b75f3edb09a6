package dev.vertlet.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where to look for the API server's address and for credentials. Holds no secret itself; {@link
 * #load} reads them, as often as they may have changed.
 *
 * @param kubeconfig the one file to use, null to search
 * @param context of the kubeconfig, null for its current one
 * @param environment as {@link System#getenv()}; asked for {@code KUBECONFIG}, proxies and the
 *     in-cluster address
 * @param home where {@code .kube/config} may be
 * @param serviceAccount directory of the in-cluster token and CA
 * @param fixed used as it is, null to search
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
   * A known address and token.
   *
   * @param url {@code http} or {@code https}, with a path prefix if there is one
   * @param token empty for none
   */
  public static ApiAccess of(String url, String token) {
    AccessSnapshot.requireHttp(url, "given configuration");
    return of(
        new ConfigBuilder(Config.empty()).withMasterUrl(url).withAutoOAuthToken(token).build());
  }

  /** A configuration somebody else made; it is never read again. */
  public static ApiAccess of(Config config) {
    return new ApiAccess(
        null, null, Map.of(), Path.of("/nonexistent"), Path.of("/nonexistent"), config);
  }

  /** Without the environment and the configuration, which may hold secrets. */
  @Override
  public String toString() {
    return "ApiAccess[kubeconfig=" + kubeconfig + ", context=" + context + "]";
  }

  /**
   * Reads files and runs the exec plugin: blocks, so never on an event loop.
   *
   * @throws AccessException when there is no usable configuration
   */
  AccessSnapshot load() {
    Config known = fixed;
    if (known != null) {
      return AccessSnapshot.of(known, "given configuration", environment);
    }
    return new AccessSearch(this).load();
  }
}
