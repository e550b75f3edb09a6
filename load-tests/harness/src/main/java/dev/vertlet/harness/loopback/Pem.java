package dev.vertlet.harness.loopback;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.X509CertificateHolder;

/** PEM text: base64 between two lines that name what it is. */
final class Pem {
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));

  private Pem() {}

  static String privateKey(KeyPair pair) {
    return encode("PRIVATE KEY", pair.getPrivate().getEncoded());
  }

  /** Whose the certificate is. */
  static X500Name subject(String certificate) {
    try {
      return new X509CertificateHolder(decode(certificate)).getSubject();
    } catch (IOException e) {
      throw new IllegalArgumentException("not a certificate: " + certificate, e);
    }
  }

  /** The key of elliptic ones, as {@link #privateKey} wrote it. */
  static PrivateKey ellipticKey(Identity identity) {
    try {
      return KeyFactory.getInstance("EC")
          .generatePrivate(new PKCS8EncodedKeySpec(decode(identity.privateKeyPem())));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("not an elliptic key, of " + identity, e);
    }
  }

  private static byte[] decode(String pem) {
    return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
  }

  static String encode(String label, byte[] der) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(label, LINES.encodeToString(der));
  }
}
