package dev.vertlet.harness.loopback;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.KeyPair;
import java.util.Base64;

/** PEM text: base64 between two lines that name what it is. */
final class Pem {
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));

  private Pem() {}

  static String privateKey(KeyPair pair) {
    return encode("PRIVATE KEY", pair.getPrivate().getEncoded());
  }

  static String encode(String label, byte[] der) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(label, LINES.encodeToString(der));
  }
}
