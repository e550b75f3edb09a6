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

/** Certificates that a client trusts instead of Java's own. Pure. */
final class Authority {
  private Authority() {}

  /**
   * Trust in the certificates of a file. Blocks.
   *
   * @param file in PEM; one or more
   * @throws SandboxClient.RefusedException when there is none in it
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
