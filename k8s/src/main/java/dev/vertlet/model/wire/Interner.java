package dev.vertlet.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Replaces equal values of many pods by one object. Has a fixed table in which a new value evicts
 * the previous one of its slot: memory is bounded, and a miss costs only a second copy.
 *
 * <p>Safe on any thread without locks: all stored values are immutable with final fields, and a
 * lost race only loses one sharing.
 *
 * <p>Records that are shared, or are keys, for each event of a pod implement {@code equals} and
 * {@code hashCode} explicitly: the compiler's use method handles, which the C1 compiler of the JVM
 * does not inline.
 */
final class Interner {
  /** 2^14 slots: 64 KB of references; the names of 5,000 nodes rarely evict each other. */
  private static final int SLOTS = 1 << 14;

  /** Longer strings are rarely equal, and hashing them costs more than the memory they take. */
  private static final int MAX_LENGTH = 256;

  private final @Nullable String[] strings = new @Nullable String[SLOTS];
  private final @Nullable Object[] values = new @Nullable Object[SLOTS];

  /**
   * Returns the string in these bytes; only ASCII strings are shared, as names, labels and reasons
   * are.
   */
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

  /** Returns the string in these characters. */
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

  /** Returns an equal value seen before, or {@code value}, which must be immutable. */
  <T> T share(T value) {
    // a record with one component often has its component's hash: the two must not evict each other
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
