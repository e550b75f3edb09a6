package dev.vertlet.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lets equal values of many pods be one object. A fixed table where a newcomer evicts whoever sat
 * in its slot: memory is bounded, and a miss costs nothing but a second copy.
 *
 * <p>Safe on any thread without locks: all that is stored is immutable with final fields, and a
 * lost race merely loses one sharing.
 *
 * <p>Records that are shared, or are keys, for each event of a pod write {@code equals} and {@code
 * hashCode} out: those that the compiler makes go through method handles, which the quick compiler
 * of the JVM does not see through.
 */
final class Interner {
  /** 2^14 slots: 64 KB of references; the node names of 5,000 nodes rarely evict each other. */
  private static final int SLOTS = 1 << 14;

  /** Longer strings are hardly ever equal, and hashing them costs more than they weigh. */
  private static final int MAX_LENGTH = 256;

  private final @Nullable String[] strings = new @Nullable String[SLOTS];
  private final @Nullable Object[] values = new @Nullable Object[SLOTS];

  /** The string in these bytes; only ASCII is shared, which names, labels and reasons are. */
  String string(byte[] bytes, int start, int length) {
    if (length == 0) {
      return "";
    }
    if (length > MAX_LENGTH) {
      return new String(bytes, start, length, UTF_8);
    }
    int hash = 0;
    int signs = 0;
    for (int i = start; i < start + length; i++) {
      hash = 31 * hash + bytes[i];
      signs |= bytes[i];
    }
    if (signs < 0) {
      return new String(bytes, start, length, UTF_8);
    }
    int slot = slot(hash);
    String known = strings[slot];
    if (known != null && same(known, bytes, start, length)) {
      return known;
    }
    String fresh = new String(bytes, start, length, UTF_8);
    strings[slot] = fresh;
    return fresh;
  }

  /** The string in these characters. */
  String string(char[] chars, int start, int length) {
    if (length == 0) {
      return "";
    }
    if (length > MAX_LENGTH) {
      return new String(chars, start, length);
    }
    int hash = 0;
    for (int i = start; i < start + length; i++) {
      hash = 31 * hash + chars[i];
    }
    int slot = slot(hash);
    String known = strings[slot];
    if (known != null && same(known, chars, start, length)) {
      return known;
    }
    String fresh = new String(chars, start, length);
    strings[slot] = fresh;
    return fresh;
  }

  /** An equal value seen before, or {@code value}. It must be immutable. */
  <T> T share(T value) {
    // a record of one thing often has that thing's hash: they must not drive each other out
    int slot = slot(value.hashCode() ^ value.getClass().hashCode());
    Object known = values[slot];
    if (known != null && known.getClass() == value.getClass() && Objects.equals(known, value)) {
      @SuppressWarnings("unchecked") // same class and equal; element types follow from equality
      T same = (T) known;
      return same;
    }
    values[slot] = value;
    return value;
  }

  private static int slot(int hash) {
    return (hash ^ hash >>> 16) & SLOTS - 1;
  }

  private static boolean same(String known, byte[] bytes, int start, int length) {
    if (known.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (known.charAt(i) != bytes[start + i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(String known, char[] chars, int start, int length) {
    if (known.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (known.charAt(i) != chars[start + i]) {
        return false;
      }
    }
    return true;
  }
}
