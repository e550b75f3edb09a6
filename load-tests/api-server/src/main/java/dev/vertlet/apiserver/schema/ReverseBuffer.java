package dev.vertlet.apiserver.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * A protobuf output that is filled from its end: the length of a nested message is known once the
 * message is there, so nothing is measured twice or copied.
 */
final class ReverseBuffer {
  private static final int FIRST_CAPACITY = 2048;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int start = FIRST_CAPACITY;

  /** How many bytes there are. */
  int size() {
    return bytes.length - start;
  }

  void prepend(byte[] more) {
    reserve(more.length);
    start -= more.length;
    System.arraycopy(more, 0, bytes, start, more.length);
  }

  void prepend(String text) {
    prepend(text.getBytes(UTF_8));
  }

  /** A number as base-128 varint; negative numbers take ten bytes, as protobuf wants. */
  void varint(long value) {
    int length = 1;
    for (long rest = value >>> 7; rest != 0; rest >>>= 7) {
      length++;
    }
    reserve(length);
    start -= length;
    long rest = value;
    for (int i = 0; i < length; i++) {
      int more = i == length - 1 ? 0 : 0x80;
      bytes[start + i] = (byte) ((rest & 0x7F) | more);
      rest >>>= 7;
    }
  }

  /** Eight bytes, little endian. */
  void fixed64(long value) {
    reserve(Long.BYTES);
    start -= Long.BYTES;
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[start + i] = (byte) (value >>> (8 * i));
    }
  }

  private void reserve(int more) {
    if (start < more) {
      int capacity = Math.max(bytes.length * 2, size() + more);
      byte[] larger = new byte[capacity];
      int moved = capacity - size();
      System.arraycopy(bytes, start, larger, moved, size());
      bytes = larger;
      start = moved;
    }
  }

  byte[] toBytes() {
    return Arrays.copyOfRange(bytes, start, bytes.length);
  }
}
