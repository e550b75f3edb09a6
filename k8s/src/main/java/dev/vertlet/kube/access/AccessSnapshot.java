package dev.vertlet.kube.access;

import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Failures;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ProxyOptions;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Result of reading the configuration once.
 *
 * @param server address without path; {@code http} or {@code https}
 * @param basePath prefix of every path; empty or starting with a slash, never ending with one
 * @param description source of the configuration, for logs
 * @param authorization value of the Authorization header, empty for none
 * @param expires expiry of {@code authorization}, null when unknown
 * @param rotating true if reading again may give other credentials
 * @param ssl certificates; null for {@code http}
 * @param tlsServerName name to verify in the certificate, null for the host name
 * @param proxy null for none
 */
public record AccessSnapshot(
    URI server,
    String basePath,
    String description,
    String authorization,
    @Nullable Instant expires,
    boolean rotating,
    @Nullable ClientSSLOptions ssl,
    @Nullable String tlsServerName,
    @Nullable ProxyOptions proxy) {

  static AccessSnapshot of(Config config, String description, Map<String, String> environment) {
    return of(config, description, environment, null, null);
  }

  static AccessSnapshot of(
      Config config,
      String description,
      Map<String, String> environment,
      @Nullable Path tokenFile,
      @Nullable ExecPlugin exec) {
    requireHttp(config.getMasterUrl(), description);
    URI master = server(config.getMasterUrl(), description);
    Instant expires = null;
    String token = token(config);
    if (tokenFile != null) {
      token = read(tokenFile, description);
    } else if (exec != null && token.isEmpty()) {
      ExecPlugin.Credential credential = exec.run(description);
      token = credential.token();
      expires = credential.expires();
      if (!credential.certificate().isEmpty()) {
        config.setClientCertData(base64(credential.certificate()));
        config.setClientKeyData(base64(credential.key()));
      }
    }
    boolean https = "https".equalsIgnoreCase(master.getScheme());
    return new AccessSnapshot(
        master,
        basePath(master),
        description,
        authorization(config, token),
        expires,
        tokenFile != null || exec != null || TlsMaterial.fromFiles(config),
        https ? TlsMaterial.load(config, description) : null,
        blankToNull(config.getTlsServerName()),
        ProxyRule.of(config, environment).proxyFor(master));
  }

  public String host() {
    String host = server.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  public int port() {
    return server.getPort() > 0 ? server.getPort() : isTls() ? 443 : 80;
  }

  public boolean isTls() {
    return "https".equalsIgnoreCase(server.getScheme());
  }

  /** Leaves out the credentials. */
  @Override
  public String toString() {
    return server + " (" + description + ")";
  }

  /**
   * Requires a scheme: without one, the server would be tried with TLS and then in plain text,
   * which must not happen.
   *
   * @throws AccessException naming {@code description}
   */
  static void requireHttp(String url, String description) {
    String start = url.toLowerCase(Locale.ROOT);
    if (!start.startsWith("http://") && !start.startsWith("https://")) {
      throw new AccessException(
          description + ": server must begin with http:// or https://, got " + url);
    }
  }

  private static URI server(String url, String description) {
    try {
      URI uri = new URI(url);
      if (uri.getHost() == null) {
        throw new AccessException(description + ": server has no host: " + url);
      }
      return uri;
    } catch (URISyntaxException e) {
      throw new AccessException(
          description + ": server is not a URL: " + url + " (" + e.getReason() + ")", e);
    }
  }

  private static String basePath(URI server) {
    String path = server.getRawPath() == null ? "" : server.getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** In fabric8's order: token provider, explicit token, then the kubeconfig's token. */
  private static String token(Config config) {
    if (config.getOauthTokenProvider() != null) {
      String provided = config.getOauthTokenProvider().getToken();
      return provided == null ? "" : provided;
    }
    String explicit = config.getOauthToken();
    if (explicit != null && !explicit.isEmpty()) {
      return explicit;
    }
    return config.getAutoOAuthToken() == null ? "" : config.getAutoOAuthToken();
  }

  private static String authorization(Config config, String token) {
    if (!token.isEmpty()) {
      return "Bearer " + token;
    }
    if (config.getUsername() != null && !config.getUsername().isEmpty()) {
      String password = config.getPassword() == null ? "" : config.getPassword();
      return "Basic " + base64(config.getUsername() + ":" + password);
    }
    return "";
  }

  private static String read(Path file, String description) {
    try {
      String token = Files.readString(file).strip();
      if (token.isEmpty()) {
        throw new AccessException(description + ": token file " + file + " is empty");
      }
      return token;
    } catch (IOException e) {
      throw new AccessException(
          description + ": token file " + file + " cannot be read: " + Failures.describe(e), e);
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String blankToNull(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }
}
