package dev.vertlet.kube.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Failures;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Loads the certificates of a configuration for Vert.x. Blocks: reads files. */
final class TlsMaterial {
  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");

  private TlsMaterial() {}

  /**
   * Loads certificates and keys.
   *
   * @throws AccessException when something cannot be read, naming the field and the file
   */
  static ClientSSLOptions load(Config config, String description) {
    ClientSSLOptions ssl = new ClientSSLOptions();
    boolean trustAll = config.isTrustCerts();
    ssl.setTrustAll(trustAll);
    ssl.setHostnameVerificationAlgorithm(
        trustAll || config.isDisableHostnameVerification() ? "" : "HTTPS");
    Buffer ca =
        pem("certificate-authority", config.getCaCertData(), config.getCaCertFile(), description);
    if (ca != null && !trustAll) {
      requireCertificates("certificate-authority", ca, description);
      ssl.setTrustOptions(new PemTrustOptions().addCertValue(ca));
    }
    Buffer certificate =
        pem(
            "client-certificate",
            config.getClientCertData(),
            config.getClientCertFile(),
            description);
    Buffer key =
        pem("client-key", config.getClientKeyData(), config.getClientKeyFile(), description);
    if ((certificate == null) != (key == null)) {
      throw new AccessException(
          description + ": client-certificate and client-key must be given together");
    }
    if (certificate != null && key != null) {
      requireCertificates("client-certificate", certificate, description);
      ssl.setKeyCertOptions(new PemKeyCertOptions().addCertValue(certificate).addKeyValue(key));
    }
    return ssl;
  }

  /** Whether reading again may return other certificates. */
  static boolean fromFiles(Config config) {
    return present(config.getCaCertFile()) || present(config.getClientCertFile());
  }

  /** Prefers inline data to a file, as client-go does. */
  private static @Nullable Buffer pem(
      String field, @Nullable String data, @Nullable String file, String description) {
    if (data != null && !data.isEmpty()) {
      return decode(field, data, description);
    }
    if (file == null || file.isEmpty()) {
      return null;
    }
    try {
      return Buffer.buffer(Files.readAllBytes(Path.of(file)));
    } catch (IOException e) {
      throw new AccessException(
          "%s: %s %s cannot be read: %s".formatted(description, field, file, Failures.describe(e)),
          e);
    }
  }

  private static Buffer decode(String field, String data, String description) {
    if (data.startsWith("-----BEGIN")) {
      return Buffer.buffer(data);
    }
    try {
      return Buffer.buffer(Base64.getMimeDecoder().decode(data));
    } catch (IllegalArgumentException e) {
      throw new AccessException(description + ": " + field + "-data is not base64", e);
    }
  }

  private static void requireCertificates(String field, Buffer pem, String description) {
    try {
      boolean none =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(certificates(pem).getBytes(UTF_8)))
              .isEmpty();
      if (none) {
        throw new AccessException(description + ": " + field + " holds no certificate");
      }
    } catch (CertificateException e) {
      throw new AccessException(
          description + ": " + field + " is not a PEM certificate: " + Failures.describe(e), e);
    }
  }

  /** Keeps the certificates only: kubelets store their key in the same file. */
  private static String certificates(Buffer pem) {
    String text = pem.toString();
    String certificates =
        CERTIFICATE.matcher(text).results().map(MatchResult::group).collect(joining("\n"));
    return certificates.isEmpty() ? text : certificates;
  }

  private static boolean present(@Nullable String text) {
    return text != null && !text.isEmpty();
  }
}
