package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Secrets that nobody else has, and the search for them in what a program shows. */
final class SecretMarks {
  /** Fewer characters may stand anywhere by chance. */
  private static final int SHORTEST = 20;

  private final Map<String, String> values = new LinkedHashMap<>();

  /** A new one. Returns its value: letters and digits alone, which no encoding of URLs changes. */
  String create(String name) {
    return add(name, "mark" + UUID.randomUUID().toString().replace("-", ""));
  }

  /** One that somebody else made. Returns it. */
  String add(String name, String value) {
    if (value.length() < SHORTEST) {
      throw new IllegalArgumentException(name + ": must have at least " + SHORTEST + " characters");
    }
    values.put(name, value);
    return value;
  }

  /**
   * Which secret stands where, in plain text or in Base64.
   *
   * @param shown what a place shows, by its name
   * @return {@code "place shows secret"} of each that was found
   */
  List<String> found(Map<String, String> shown) {
    List<String> all = new ArrayList<>();
    shown.forEach(
        (place, text) ->
            values.forEach(
                (name, value) -> {
                  if (holds(text, value)) {
                    all.add(place + " shows " + name);
                  }
                }));
    return all;
  }

  private static boolean holds(String text, String value) {
    if (text.contains(value)) {
      return true;
    }
    for (int before = 0; before < 3; before++) {
      if (text.contains(encoded(value, before))) {
        return true;
      }
    }
    return false;
  }

  /** The characters of Base64 that are the value's alone, with so many bytes before it. */
  private static String encoded(String value, int before) {
    byte[] bytes = value.getBytes(UTF_8);
    byte[] shifted = new byte[before + bytes.length];
    System.arraycopy(bytes, 0, shifted, before, bytes.length);
    byte[] code = Base64.getEncoder().encode(shifted);
    int from = (before * 8 + 5) / 6;
    return new String(Arrays.copyOfRange(code, from, shifted.length * 8 / 6), UTF_8);
  }
}
