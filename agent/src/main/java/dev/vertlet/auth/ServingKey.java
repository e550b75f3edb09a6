package dev.vertlet.auth;

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
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * A certificate and its key.
 *
 * @param chain the certificate first, then those that prove it
 */
record ServingKey(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] PROBE =
      "which certificate is this key of?".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  ServingKey {
    chain = List.copyOf(chain);
  }

  X509Certificate certificate() {
    return chain.get(0);
  }

  /**
   * Reads PEM. Blocks for a millisecond: a signature is made and checked.
   *
   * @param key may hold certificates, too
   * @throws IllegalArgumentException that says what is wrong; never with any of the key
   */
  static ServingKey parse(byte[] certificates, byte[] key) {
    List<X509Certificate> chain = Pem.certificates(certificates);
    PublicKey own = chain.get(0).getPublicKey();
    PrivateKey found = key(key, own.getAlgorithm());
    if (!belong(found, own)) {
      throw new IllegalArgumentException("holds a key that is not the certificate's");
    }
    return new ServingKey(chain, found);
  }

  private static PrivateKey key(byte[] text, String algorithm) {
    for (Pem.Block block : Pem.blocks(text)) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return key(algorithm, block.der());
        }
        case "EC PRIVATE KEY" -> {
          return key(algorithm, wrapEc(block.der()));
        }
        case "RSA PRIVATE KEY" -> {
          return key(algorithm, wrapRsa(block.der()));
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new IllegalArgumentException("holds an encrypted key, and there is no password");
        default -> {} // a certificate, or the parameters of a curve
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

  private static byte[] wrapEc(byte[] der) {
    try {
      ECPrivateKey key = ECPrivateKey.getInstance(der);
      return new PrivateKeyInfo(
              new AlgorithmIdentifier(
                  X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()),
              key)
          .getEncoded();
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("holds an EC key that cannot be read");
    }
  }

  private static byte[] wrapRsa(byte[] der) {
    try {
      return new PrivateKeyInfo(
              new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
              ASN1Primitive.fromByteArray(der))
          .getEncoded();
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("holds an RSA key that cannot be read");
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

  /** Without the key. */
  @Override
  public String toString() {
    return "ServingKey[" + certificate().getSubjectX500Principal() + "]";
  }
}
