package dev.vertlet.auth;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/** Reads the user from a client certificate's subject: common name, organizations, UID. */
final class CertificateUser {
  /** Subject attribute that Kubernetes has registered for user UIDs. */
  private static final ASN1ObjectIdentifier UID = new ASN1ObjectIdentifier("1.3.6.1.4.1.57683.2");

  private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  private CertificateUser() {}

  /**
   * Reads the user.
   *
   * @return empty when there is no common name
   * @throws CertificateException when the subject has an unreadable UID or more than one
   */
  static Optional<User> of(X509Certificate certificate) throws CertificateException {
    X500Name subject = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    List<String> names = values(subject, BCStyle.CN);
    if (names.isEmpty() || last(names).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new User(
            last(names),
            uid(subject),
            values(subject, BCStyle.O),
            Map.of(CREDENTIAL_ID, List.of("X509SHA256=" + fingerprint(certificate)))));
  }

  /** Returns the last name, the one that counts. */
  private static String last(List<String> names) {
    return names.get(names.size() - 1);
  }

  private static String uid(X500Name subject) throws CertificateException {
    List<String> uids = values(subject, UID);
    if (uids.isEmpty()) {
      return "";
    }
    if (uids.size() > 1 || uids.get(0).isEmpty()) {
      throw new CertificateException("a subject must have one UID that is not empty, got " + uids);
    }
    return uids.get(0);
  }

  private static List<String> values(X500Name subject, ASN1ObjectIdentifier type) {
    List<String> values = new ArrayList<>();
    for (RDN rdn : subject.getRDNs()) {
      for (AttributeTypeAndValue attribute : rdn.getTypesAndValues()) {
        if (attribute.getType().equals(type)) {
          if (attribute.getValue() instanceof ASN1String text) {
            values.add(text.getString());
          } else if (type.equals(UID)) {
            values.add(""); // refused
          }
        }
      }
    }
    return values;
  }

  private static String fingerprint(X509Certificate certificate)
      throws CertificateEncodingException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }
}
