package dev.vertlet.stages.template.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Strings as bytes, as Go has them. */
final class Texts {
  private Texts() {}

  /** Order by bytes of UTF-8, which differs from Java's beyond U+FFFF. */
  static int compare(String left, String right) {
    return Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8));
  }

  /** Bytes from one index to another; halves of characters become U+FFFD. */
  static String bytes(String text, int from, int to) {
    byte[] bytes = text.getBytes(UTF_8);
    return new String(bytes, from, to - from, UTF_8);
  }
}
