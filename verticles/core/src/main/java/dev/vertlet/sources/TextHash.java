package dev.vertlet.sources;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Hashes texts for comparison without keeping them: a manifest may have ten megabytes, and each
 * node of an agent reads its own.
 */
final class TextHash {
  private TextHash() {}

  /** SHA-256, in hexadecimal digits. */
  static String of(byte[] text) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
