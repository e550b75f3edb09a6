package dev.vertlet.harness.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.Config;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * API server behind the proxy, from a kubeconfig.
 *
 * @param server URL of the API server
 * @param tlsServerName name in its certificate
 * @param caPem null for the JVM's own authorities
 * @param insecure whether its certificate is not verified
 * @param clientPem certificate and key of the proxy, for a kubeconfig without a token; null with a
 *     token
 * @param token bearer token of the proxy; null with a certificate
 */
record Upstream(
    URI server,
    String tlsServerName,
    @Nullable String caPem,
    boolean insecure,
    @Nullable ClientPem clientPem,
    @Nullable String token) {

  record ClientPem(String certificate, String key) {}

  /** Reads a kubeconfig and the files it names; blocks. */
  static Upstream of(Path kubeconfig) throws IOException {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    URI server = URI.create(config.getMasterUrl());
    if (!"https".equals(server.getScheme())) {
      throw new IllegalArgumentException(
          kubeconfig + ": server=" + server + ": must be an https URL");
    }
    String token = token(config);
    String certificate = pem(config.getClientCertData(), config.getClientCertFile());
    String key = pem(config.getClientKeyData(), config.getClientKeyFile());
    if (token == null && (certificate == null || key == null)) {
      throw new IllegalArgumentException(
          kubeconfig + ": must have a token or a client certificate");
    }
    String name = config.getTlsServerName();
    return new Upstream(
        server,
        name == null || name.isEmpty() ? server.getHost() : name,
        pem(config.getCaCertData(), config.getCaCertFile()),
        config.isTrustCerts(),
        token != null || certificate == null || key == null
            ? null
            : new ClientPem(certificate, key),
        token);
  }

  private static @Nullable String token(Config config) {
    String explicit = config.getOauthToken();
    return explicit != null ? explicit : config.getAutoOAuthToken();
  }

  private static @Nullable String pem(@Nullable String base64, @Nullable String file)
      throws IOException {
    if (base64 != null && !base64.isEmpty()) {
      return new String(Base64.getMimeDecoder().decode(base64), UTF_8);
    }
    return file == null || file.isEmpty() ? null : Files.readString(Path.of(file));
  }

  int port() {
    return server.getPort() < 0 ? 443 : server.getPort();
  }

  /** Path that precedes every request's path, without a trailing slash. */
  String pathPrefix() {
    return server.getPath().replaceFirst("/+$", "");
  }

  /**
   * Options of the client. With HTTP/1.1 every request in flight has its own connection, so a
   * client that does not read its watch blocks no other request, and a cancelled request leaves
   * nothing behind.
   */
  HttpClientOptions clientOptions() {
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setProtocolVersion(HttpVersion.HTTP_1_1)
            .setVerifyHost(!insecure)
            .setTrustAll(insecure);
    if (caPem != null) {
      options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(caPem)));
    }
    if (clientPem != null) {
      options.setKeyCertOptions(
          new PemKeyCertOptions()
              .addCertValue(Buffer.buffer(clientPem.certificate()))
              .addKeyValue(Buffer.buffer(clientPem.key())));
    }
    return options;
  }

  /** Leaves out the token and the key. */
  @Override
  public String toString() {
    return "Upstream[" + server + "]";
  }
}
