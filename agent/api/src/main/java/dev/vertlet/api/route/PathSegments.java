package dev.vertlet.api.route;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a path. A path that servers interpret differently, with an encoded slash, a dot segment or
 * an empty segment, is rejected.
 */
public final class PathSegments {
  private static final int HEX = 16;

  private PathSegments() {}

  /**
   * Splits and decodes a path.
   *
   * @param path path of the request line without the query
   * @return the segments without a trailing slash; null for a rejected path
   */
  public static @Nullable List<String> of(String path) {
    if (!path.startsWith("/")) {
      return null;
    }
    String inner = path.substring(1);
    if (inner.endsWith("/")) {
      inner = inner.substring(0, inner.length() - 1);
    }
    List<String> segments = new ArrayList<>();
    if (inner.isEmpty()) {
      return path.equals("/") ? segments : null;
    }
    for (String encoded : inner.split("/", -1)) {
      String segment = decode(encoded);
      if (segment == null || !harmless(segment)) {
        return null;
      }
      segments.add(segment);
    }
    return segments;
  }

  private static boolean harmless(String segment) {
    return !segment.isEmpty()
        && !segment.equals(".")
        && !segment.equals("..")
        && segment.chars().noneMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c));
  }

  private static @Nullable String decode(String encoded) {
    if (encoded.indexOf('%') < 0) {
      return encoded;
    }
    ByteBuffer bytes = ByteBuffer.allocate(encoded.length() * 3);
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c != '%') {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        continue;
      }
      boolean whole = i + 2 <= encoded.length() - 1;
      int high = whole ? Character.digit(encoded.charAt(i + 1), HEX) : -1;
      int low = whole ? Character.digit(encoded.charAt(i + 2), HEX) : -1;
      if (high < 0 || low < 0) {
        return null;
      }
      bytes.put((byte) (high * HEX + low));
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return null; // invalid UTF-8
    }
  }
}
