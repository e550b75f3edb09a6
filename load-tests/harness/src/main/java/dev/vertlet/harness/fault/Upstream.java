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
 * The API server behind the proxy, as a kubeconfig describes it.
 *
 * @param server its URL
 * @param tlsServerName the name its certificate is for
 * @param caPem null: the JVM's own authorities
 * @param insecure its certificate is not checked
 * @param clientPem certificate and key with which the proxy authenticates, for a kubeconfig without
 *     a token; null for one that has a token
 * @param token with which the proxy authenticates; null: by the certificate
 */
record Upstream(
    URI server,
    String tlsServerName,
    @Nullable String caPem,
    boolean insecure,
    @Nullable ClientPem clientPem,
    @Nullable String token) {

  record ClientPem(String certificate, String key) {}

  /** Reads files; blocks. */
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

  /** The path in front of every request's, without the closing slash. */
  String pathPrefix() {
    return server.getPath().replaceFirst("/+$", "");
  }

  /**
   * HTTP/1.1: every request in flight has a connection of its own, so a client that does not read
   * its watch stops no other request, and a cancelled one leaves nothing behind.
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

  /** Never the token or the key. */
  @Override
  public String toString() {
    return "Upstream[" + server + "]";
  }
}
