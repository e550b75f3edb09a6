package dev.vertlet.certificates;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;

/**
 * A certificate authority in memory that issues server and client certificates.
 *
 * <p>Servers get elliptic keys, which take a millisecond to make. Clients get RSA keys, because
 * client libraries assume RSA for a PKCS #8 key whose label has no algorithm.
 */
public final class CertificateAuthority {
  /**
   * How far certificates are backdated: clocks differ, and a certificate of the last second is "not
   * yet valid" on a machine whose clock is slow.
   */
  private static final Duration BACKDATED = Duration.ofDays(1);

  /** Life of certificates, longer than that of any data directory. */
  private static final Duration VALIDITY = Duration.ofDays(3650);

  private final Clock clock;
  private final X500Name name;
  private final PrivateKey key;
  private final Identity identity;

  private CertificateAuthority(Clock clock, X500Name name, PrivateKey key, Identity identity) {
    this.clock = clock;
    this.name = name;
    this.key = key;
    this.identity = identity;
  }

  /**
   * Makes a new authority.
   *
   * @param commonName the subject's common name
   * @param clock sets the start of validity; the authority's own certificate is valid for ten years
   */
  public static CertificateAuthority create(String commonName, Clock clock) {
    KeyPair keys = KeyPairs.elliptic();
    Instant now = clock.instant();
    Identity own =
        CertificateDraft.of(keys, commonName, "")
            .authority()
            .selfSigned(now.minus(BACKDATED), now.plus(VALIDITY));
    return new CertificateAuthority(clock, subject(own), keys.getPrivate(), own);
  }

  /**
   * Restores an authority.
   *
   * @param identity its {@link #identity}
   */
  public static CertificateAuthority of(Identity identity, Clock clock) {
    byte[] pkcs8 = Pem.blocks(identity.privateKeyPem().getBytes(US_ASCII)).get(0).der();
    try {
      PrivateKey key =
          KeyFactory.getInstance(KeyPairs.ELLIPTIC).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      return new CertificateAuthority(clock, subject(identity), key, identity);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not an elliptic key, of " + identity, e);
    }
  }

  private static X500Name subject(Identity identity) {
    return X500Name.getInstance(
        Pem.certificates(identity.certificatePem().getBytes(US_ASCII))
            .get(0)
            .getSubjectX500Principal()
            .getEncoded());
  }

  /** The certificate that clients have to trust, as PEM. */
  public String certificatePem() {
    return identity.certificatePem();
  }

  /** Certificate and key, for another program that issues certificates of this authority. */
  public Identity identity() {
    return identity;
  }

  /**
   * Issues a server certificate, for ten years.
   *
   * @param commonName the subject's common name; clients use only the alternative names
   * @param dnsNames host names it is valid for
   * @param addresses IP addresses it is valid for
   */
  public Identity issueServer(String commonName, List<String> dnsNames, List<String> addresses) {
    return issueServer(commonName, dnsNames, addresses, VALIDITY);
  }

  /**
   * Issues a server certificate with a given life.
   *
   * @param life from now; the end is cut to a whole second
   */
  public Identity issueServer(
      String commonName, List<String> dnsNames, List<String> addresses, Duration life) {
    return issue(
        CertificateDraft.of(KeyPairs.elliptic(), commonName, "")
            .server()
            .names(dnsNames, addresses),
        life);
  }

  /**
   * Issues a client certificate, for ten years.
   *
   * @param user becomes the common name, which Kubernetes takes for the user's name
   * @param group becomes the organization, which Kubernetes takes for a group; empty for none
   */
  public Identity issueClient(String user, String group) {
    return issueClient(user, group, VALIDITY);
  }

  /**
   * Issues a client certificate with a given life.
   *
   * @param life from now; the end is cut to a whole second
   */
  public Identity issueClient(String user, String group, Duration life) {
    return issue(CertificateDraft.of(KeyPairs.rsa(), user, group).client(), life);
  }

  /**
   * Issues a certificate from a draft.
   *
   * @param life from now
   */
  public Identity issue(CertificateDraft draft, Duration life) {
    Instant now = clock.instant();
    return draft.signed(name, key, now.minus(BACKDATED), now.plus(life));
  }
}
