package dev.vertlet.harness.cluster;

import static java.net.HttpURLConnection.HTTP_OK;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Checks whether a server is ready, once per call. */
final class ReadinessProbe {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final SSLSocketFactory sockets;
  private final String token;

  ReadinessProbe(String caPem, String token) {
    this.sockets = trusting(caPem);
    this.token = token;
  }

  /** Whether a GET answers 200; false on any failure to connect. */
  boolean isReady(URI uri) {
    try {
      HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
      connection.setSSLSocketFactory(sockets);
      connection.setConnectTimeout((int) TIMEOUT.toMillis());
      connection.setReadTimeout((int) TIMEOUT.toMillis());
      connection.setRequestProperty("Authorization", "Bearer " + token);
      try {
        return connection.getResponseCode() == HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException notYet) {
      return false;
    }
  }

  private static SSLSocketFactory trusting(String caPem) {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry(
          "ca",
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(caPem.getBytes(US_ASCII))));
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new ControlPlaneException(
          "cannot trust the control plane's own certificate authority", e);
    }
  }
}
