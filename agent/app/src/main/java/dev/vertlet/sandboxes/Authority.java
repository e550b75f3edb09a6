package dev.vertlet.sandboxes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Builds trust in a client's own certificate authorities instead of Java's. */
final class Authority {
  private Authority() {}

  /**
   * Reads trusted certificates from a file. Blocks.
   *
   * @param file PEM file with at least one certificate
   * @throws SandboxClient.RefusedException when it contains none
   */
  static SSLContext read(Path file) {
    try (InputStream pem = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        store.setCertificateEntry("ca-" + number++, each);
      }
      if (number == 0) {
        throw unreadable(file, "no certificate in it");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw unreadable(file, "cannot read it");
    } catch (GeneralSecurityException e) {
      throw unreadable(file, String.valueOf(e.getMessage()));
    }
  }

  private static SandboxClient.RefusedException unreadable(Path file, String why) {
    return new SandboxClient.RefusedException("--certificate-authority " + file + ": " + why);
  }
}
