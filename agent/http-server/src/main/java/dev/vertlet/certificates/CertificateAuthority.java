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
 * A certificate authority that lives in memory and issues server and client certificates.
 *
 * <p>Servers get elliptic keys because they are made in a millisecond; clients get RSA keys because
 * client libraries take a PKCS #8 key without an algorithm in its label for RSA.
 */
public final class CertificateAuthority {
  /**
   * Machines disagree about the time; a certificate of the last second is "not yet valid" on a slow
   * one.
   */
  private static final Duration BACKDATED = Duration.ofDays(1);

  /** Longer than any data directory exists. */
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
   * @param clock says from when its certificates are valid; its own is for ten years
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
   * Restores an authority that was made before.
   *
   * @param identity what its {@link #identity} was
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

  /** The certificate that clients have to trust. */
  public String certificatePem() {
    return identity.certificatePem();
  }

  /** Certificate and key, for another program that issues in its name. */
  public Identity identity() {
    return identity;
  }

  /**
   * Issues a server certificate, for ten years.
   *
   * @param commonName the subject's common name; clients look at the alternative names alone
   * @param dnsNames host names it is valid for
   * @param addresses IP addresses it is valid for
   */
  public Identity issueServer(String commonName, List<String> dnsNames, List<String> addresses) {
    return issueServer(commonName, dnsNames, addresses, VALIDITY);
  }

  /**
   * The same, for a certificate that ends soon.
   *
   * @param life from now; its end is a whole second, that or the one before
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
   * The same, for a certificate that ends soon.
   *
   * @param life from now; its end is a whole second, that or the one before
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
