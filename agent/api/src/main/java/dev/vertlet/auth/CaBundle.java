package dev.vertlet.auth;

import dev.vertlet.certificates.Pem;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Certificate authorities of client certificates. Immutable.
 *
 * @param certificates certificates of the authorities; without any, no client certificate is
 *     accepted
 */
public record CaBundle(List<X509Certificate> certificates) {
  static final CaBundle EMPTY = new CaBundle(List.of());

  /**
   * Most certificates in a chain, the client's and intermediates. Java searches paths through all
   * of them before it checks a signature, so each certificate multiplies the work that an
   * unauthenticated client can cause.
   */
  private static final int LONGEST_CHAIN = 5;

  private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
  private static final String ANY_USAGE = "2.5.29.37.0";

  public CaBundle {
    certificates = List.copyOf(certificates);
  }

  /**
   * Parses PEM.
   *
   * @throws IllegalArgumentException with the reason why the text is invalid
   */
  public static CaBundle parse(byte[] pem) {
    return new CaBundle(Pem.certificates(pem));
  }

  boolean isEmpty() {
    return certificates.isEmpty();
  }

  /**
   * Verifies that one of these authorities issued the client certificate and that it is valid now.
   *
   * @param chain the client's certificate, then its intermediates
   * @throws GeneralSecurityException when it is not trusted
   */
  void verify(List<X509Certificate> chain, Instant now) throws GeneralSecurityException {
    if (chain.size() > LONGEST_CHAIN) {
      throw new CertificateException(
          "a chain must have at most %d certificates, got %d"
              .formatted(LONGEST_CHAIN, chain.size()));
    }
    X509Certificate client = chain.get(0);
    Date date = Date.from(now);
    if (certificates.contains(client)) {
      requireGood(client, date);
      return;
    }
    X509CertSelector target = new X509CertSelector();
    target.setCertificate(client);
    Set<TrustAnchor> anchors =
        certificates.stream().map(ca -> new TrustAnchor(ca, null)).collect(Collectors.toSet());
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
    parameters.setRevocationEnabled(false);
    parameters.setDate(date);
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
    PKIXCertPathBuilderResult path =
        (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
    for (Certificate each : path.getCertPath().getCertificates()) {
      requireGood((X509Certificate) each, date);
    }
    // the authority is not part of the path, so Java checks nothing of it
    requireGood(path.getTrustAnchor().getTrustedCert(), date);
  }

  /** Checks the validity period and, if the certificate has one, the extended key usage. */
  private static void requireGood(X509Certificate certificate, Date date)
      throws CertificateException {
    certificate.checkValidity(date);
    List<String> usages = certificate.getExtendedKeyUsage();
    if (usages != null && !usages.contains(CLIENT_AUTH) && !usages.contains(ANY_USAGE)) {
      throw new CertificateException(
          "%s is not for clients: extended key usages %s"
              .formatted(certificate.getSubjectX500Principal(), usages));
    }
  }
}
