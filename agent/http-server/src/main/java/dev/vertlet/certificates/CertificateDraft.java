package dev.vertlet.certificates;

import java.io.IOException;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Contents of a certificate, before it is signed or requested. */
public final class CertificateDraft {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyPair keys;
  private final X500Name subject;
  private final ExtensionsGenerator extensions = new ExtensionsGenerator();

  private CertificateDraft(KeyPair keys, X500Name subject) {
    this.keys = keys;
    this.subject = subject;
  }

  /**
   * Creates a draft for a key pair.
   *
   * @param commonName the user's name in Kubernetes
   * @param organization a group of the user in Kubernetes; empty for none
   */
  public static CertificateDraft of(KeyPair keys, String commonName, String organization) {
    X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
    if (!organization.isEmpty()) {
      subject.addRDN(BCStyle.O, organization);
    }
    return new CertificateDraft(keys, subject.addRDN(BCStyle.CN, commonName).build());
  }

  /** Adds the extensions of a server certificate. */
  public CertificateDraft server() {
    return purpose(KeyPurposeId.id_kp_serverAuth);
  }

  /** Adds the extensions of a client certificate. */
  public CertificateDraft client() {
    return purpose(KeyPurposeId.id_kp_clientAuth);
  }

  private CertificateDraft purpose(KeyPurposeId purpose) {
    add(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
    boolean elliptic = keys.getPublic().getAlgorithm().equals(KeyPairs.ELLIPTIC);
    int usage = KeyUsage.digitalSignature | (elliptic ? 0 : KeyUsage.keyEncipherment);
    return limited(false, usage);
  }

  /** Adds the extensions of an authority's certificate. */
  CertificateDraft authority() {
    return limited(true, KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature);
  }

  private CertificateDraft limited(boolean authority, int usage) {
    add(Extension.basicConstraints, true, new BasicConstraints(authority));
    add(Extension.keyUsage, true, new KeyUsage(usage));
    return this;
  }

  /** Adds host names and IP addresses of a server. */
  public CertificateDraft names(List<String> hostNames, List<String> addresses) {
    return names(
        Stream.concat(
            hostNames.stream().map(host -> new GeneralName(GeneralName.dNSName, host)),
            addresses.stream().map(ip -> new GeneralName(GeneralName.iPAddress, ip))));
  }

  /** Adds names of a server in the given order. */
  public CertificateDraft names(Stream<GeneralName> names) {
    GeneralName[] all = names.toArray(GeneralName[]::new);
    add(Extension.subjectAlternativeName, false, new GeneralNames(all));
    return this;
  }

  private void add(ASN1ObjectIdentifier id, boolean critical, ASN1Encodable value) {
    try {
      extensions.addExtension(id, critical, value);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot be encoded: " + value, e);
    }
  }

  /** Signs the certificate with its own key. */
  public Identity selfSigned(Instant from, Instant until) {
    return signed(subject, keys.getPrivate(), from, until);
  }

  Identity signed(X500Name issuer, PrivateKey key, Instant from, Instant until) {
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(120, RANDOM).add(BigInteger.ONE),
            Date.from(from),
            Date.from(until),
            subject,
            keys.getPublic());
    try {
      if (!extensions.isEmpty()) {
        for (ASN1ObjectIdentifier id : extensions.generate().getExtensionOIDs()) {
          builder.addExtension(extensions.getExtension(id));
        }
      }
      return Identity.of(Pem.CERTIFICATE, builder.build(signer(key)).getEncoded(), keys);
    } catch (IOException e) {
      throw new IllegalStateException("this JVM cannot encode certificates", e);
    }
  }

  /** Makes a request for the certificate, to be signed by an authority elsewhere. */
  public Identity request() {
    try {
      byte[] der =
          new JcaPKCS10CertificationRequestBuilder(subject, keys.getPublic())
              .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate())
              .build(signer(keys.getPrivate()))
              .getEncoded();
      return Identity.of("CERTIFICATE REQUEST", der, keys);
    } catch (IOException e) {
      throw new IllegalStateException("this JVM cannot encode requests for certificates", e);
    }
  }

  private static ContentSigner signer(PrivateKey key) {
    boolean elliptic = key.getAlgorithm().equals(KeyPairs.ELLIPTIC);
    try {
      return new JcaContentSignerBuilder(elliptic ? "SHA256withECDSA" : "SHA256withRSA").build(key);
    } catch (OperatorCreationException e) {
      throw new IllegalStateException("this JVM cannot sign with a key of this kind", e);
    }
  }
}
