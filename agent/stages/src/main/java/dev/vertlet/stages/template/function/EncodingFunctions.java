package dev.vertlet.stages.template.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.Adler32;

/** sprig's functions of checksums, encodings and random strings. */
final class EncodingFunctions {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String DIGITS = "0123456789";
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int LARGEST = 1_000_000;
  private static final SecureRandom RANDOM = new SecureRandom();

  private EncodingFunctions() {}

  static Map<String, Function> all() {
    StringBuilder ascii = new StringBuilder();
    for (char c = ' '; c < 0x7f; c++) {
      ascii.append(c);
    }
    Map<String, Function> all = new HashMap<>();
    all.put("sha1sum", Function.of("string", a -> hash("SHA-1", a)));
    all.put("sha256sum", Function.of("string", a -> hash("SHA-256", a)));
    all.put("sha512sum", Function.of("string", a -> hash("SHA-512", a)));
    all.put("adler32sum", Function.of("string", EncodingFunctions::adler32));
    all.put("b64enc", Function.of("string", a -> Base64.getEncoder().encodeToString(bytes(a))));
    all.put("b64dec", Function.of("string", a -> decodeBase64(a.string(0))));
    all.put("b32enc", Function.of("string", a -> encodeBase32(bytes(a))));
    all.put("b32dec", Function.of("string", a -> decodeBase32(a.string(0))));
    all.put("randAlphaNum", Function.of("int", a -> random(a, LETTERS + DIGITS)));
    all.put("randAlpha", Function.of("int", a -> random(a, LETTERS)));
    all.put("randNumeric", Function.of("int", a -> random(a, DIGITS)));
    all.put("randAscii", Function.of("int", a -> random(a, ascii.toString())));
    all.put("randBytes", Function.of("int", EncodingFunctions::randomBytes));
    all.put("shuffle", Function.of("string", EncodingFunctions::shuffle));
    all.put("uuidv4", Function.of("", a -> UUID.randomUUID().toString()));
    return all;
  }

  private static byte[] bytes(Arguments a) {
    return a.string(0).getBytes(UTF_8);
  }

  private static String hash(String algorithm, Arguments a) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes(a)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA", e);
    }
  }

  private static String adler32(Arguments a) {
    Adler32 sum = new Adler32();
    sum.update(bytes(a));
    return Long.toString(sum.getValue());
  }

  /** The text, or, as sprig does it, the sentence of the mistake. */
  private static String decodeBase64(String text) {
    String encoded = text.replace("\n", "").replace("\r", "");
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      boolean padding = c == '=' && i >= encoded.length() - 2;
      boolean letter = LETTERS.indexOf(c) >= 0 || DIGITS.indexOf(c) >= 0 || c == '+' || c == '/';
      if (!letter && !padding) {
        return illegal(64, i);
      }
    }
    if (encoded.length() % 4 != 0) {
      return illegal(64, encoded.length() / 4 * 4);
    }
    try {
      return new String(Base64.getDecoder().decode(encoded), UTF_8);
    } catch (IllegalArgumentException e) {
      return illegal(64, encoded.length());
    }
  }

  private static String illegal(int base, int index) {
    return "illegal base" + base + " data at input byte " + index;
  }

  private static String encodeBase32(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    long bits = 0;
    int count = 0;
    for (byte b : bytes) {
      bits = bits << 8 | b & 0xff;
      count += 8;
      while (count >= 5) {
        count -= 5;
        out.append(BASE32.charAt((int) (bits >> count) & 31));
      }
    }
    if (count > 0) {
      out.append(BASE32.charAt((int) (bits << 5 - count) & 31));
    }
    while (out.length() % 8 != 0) {
      out.append('=');
    }
    return out.toString();
  }

  private static String decodeBase32(String text) {
    String encoded = text.replace("\n", "").replace("\r", "");
    int end = encoded.length();
    while (end > 0 && encoded.charAt(end - 1) == '=') {
      end--;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long bits = 0;
    int count = 0;
    for (int i = 0; i < end; i++) {
      int value = BASE32.indexOf(encoded.charAt(i));
      if (value < 0) {
        return illegal(32, i);
      }
      bits = bits << 5 | value;
      count += 5;
      if (count >= 8) {
        count -= 8;
        out.write((int) (bits >> count) & 0xff);
      }
    }
    int whole = encoded.length() / 8 * 8;
    return encoded.length() == whole ? out.toString(UTF_8) : illegal(32, whole);
  }

  private static int count(Arguments a) {
    return (int) Math.max(0, Math.min(a.integer(0), LARGEST));
  }

  private static String random(Arguments a, String characters) {
    StringBuilder out = new StringBuilder();
    for (int i = count(a); i > 0; i--) {
      out.append(characters.charAt(RANDOM.nextInt(characters.length())));
    }
    return out.toString();
  }

  private static String randomBytes(Arguments a) {
    byte[] bytes = new byte[count(a)];
    RANDOM.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String shuffle(Arguments a) {
    List<String> characters = new ArrayList<>(StringFunctions.split("", a.string(0), -1));
    Collections.shuffle(characters, RANDOM);
    return String.join("", characters);
  }
}
