package dev.vertlet.certificates;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;

/** Makes key pairs. */
public final class KeyPairs {
  static final String ELLIPTIC = "EC";

  private KeyPairs() {}

  /** Makes a pair on the curve P-256, within a millisecond. */
  public static KeyPair elliptic() {
    return make(ELLIPTIC, new ECGenParameterSpec("secp256r1"));
  }

  /** Makes a pair of 2048 bits, within some hundred milliseconds. */
  public static KeyPair rsa() {
    return make("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4));
  }

  private static KeyPair make(String algorithm, AlgorithmParameterSpec size) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(size);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM makes no keys of kind " + algorithm, e);
    }
  }
}
