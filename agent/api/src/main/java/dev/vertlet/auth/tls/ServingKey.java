package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.vertlet.certificates.Pem;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;

/**
 * Certificate chain with its private key.
 *
 * @param chain the certificate first, then its intermediates
 */
record ServingKey(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] PROBE = "which certificate is this key of?".getBytes(US_ASCII);

  ServingKey {
    chain = List.copyOf(chain);
  }

  X509Certificate certificate() {
    return chain.get(0);
  }

  /**
   * Parses PEM. Blocks for a millisecond, as it tests the key with a signature.
   *
   * @param key may contain certificates, too
   * @throws IllegalArgumentException with the reason; its message never contains key material
   */
  static ServingKey parse(byte[] certificates, byte[] key) {
    List<X509Certificate> chain = Pem.certificates(certificates);
    PublicKey own = chain.get(0).getPublicKey();
    PrivateKey found = key(key, own);
    if (!belong(found, own)) {
      throw new IllegalArgumentException("holds a key that is not the certificate's");
    }
    return new ServingKey(chain, found);
  }

  private static PrivateKey key(byte[] text, PublicKey certified) {
    String algorithm = certified.getAlgorithm();
    for (Pem.Block block : Pem.blocks(text)) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return key(algorithm, block.der());
        }
        case "EC PRIVATE KEY", "RSA PRIVATE KEY" -> {
          return key(algorithm, wrap(block.der(), certified));
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new IllegalArgumentException("holds an encrypted key, and there is no password");
        default -> {} // a certificate or the parameters of a curve
      }
    }
    throw new IllegalArgumentException("holds no PEM private key");
  }

  private static PrivateKey key(String algorithm, byte[] pkcs8) {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "holds a key that cannot be read as one of algorithm " + algorithm);
    }
  }

  /** Wraps the key as PKCS #8 with the certificate's algorithm and curve. */
  private static byte[] wrap(byte[] der, PublicKey certified) {
    try {
      return new PrivateKeyInfo(
              SubjectPublicKeyInfo.getInstance(certified.getEncoded()).getAlgorithm(),
              ASN1Primitive.fromByteArray(der))
          .getEncoded();
    } catch (IOException e) {
      throw new IllegalArgumentException("holds a key that cannot be read");
    }
  }

  private static boolean belong(PrivateKey key, PublicKey certified) {
    try {
      Signature signature = Signature.getInstance(signature(certified.getAlgorithm()));
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (InvalidKeyException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "holds a key of algorithm " + certified.getAlgorithm() + ", which cannot be used", e);
    }
  }

  private static String signature(String algorithm) {
    return switch (algorithm) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> algorithm;
    };
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "ServingKey[" + certificate().getSubjectX500Principal() + "]";
  }
}
