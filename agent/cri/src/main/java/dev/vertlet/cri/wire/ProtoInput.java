package dev.vertlet.cri.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;

/**
 * Reads the fields of one message. Every step consumes at least one byte and every length is
 * checked against the message, so malformed input causes a {@link ProtoException}, never a loop or
 * an oversized allocation.
 *
 * <p>The reader of API objects in {@code dev.vertlet.model} is bound to their envelopes, quantities
 * and times, and has neither bytes nor packed numbers.
 */
final class ProtoInput {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final byte[] bytes;
  private final int limit;
  private int position;
  private int number;
  private int wireType;

  ProtoInput(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private ProtoInput(byte[] bytes, int position, int limit) {
    this.bytes = bytes;
    this.position = position;
    this.limit = limit;
  }

  /** Moves to the next field; false at the end of the message. */
  boolean next() {
    if (position == limit) {
      return false;
    }
    long tag = varint();
    if (tag >>> 32 != 0 || tag >>> 3 == 0) {
      throw malformed("tag out of range");
    }
    number = (int) (tag >>> 3);
    wireType = (int) (tag & 7);
    return true;
  }

  int number() {
    return number;
  }

  /** Whether the current value is a length and bytes: a packed list where numbers are expected. */
  boolean packed() {
    return wireType == BYTES;
  }

  /** Whether anything is left. */
  boolean more() {
    return position < limit;
  }

  void skip() {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> advance(8);
      case BYTES -> advance(length());
      case FIXED32 -> advance(4);
      default -> throw malformed("wire type " + wireType);
    }
  }

  long integer() {
    expect(VARINT);
    return varint();
  }

  /** Reads the next number of a packed list. */
  long packedInteger() {
    return varint();
  }

  double fraction() {
    expect(FIXED64);
    int start = advance(8);
    long bits = 0;
    for (int i = 7; i >= 0; i--) {
      bits = bits << 8 | bytes[start + i] & 0xff;
    }
    return Double.longBitsToDouble(bits);
  }

  String text() {
    int length = length();
    return new String(bytes, advance(length), length, UTF_8);
  }

  Buffer data() {
    int length = length();
    int start = advance(length);
    return Buffer.buffer(length).appendBytes(bytes, start, length);
  }

  /** Returns the reader of the message, or of the packed list, that is the current value. */
  ProtoInput enter() {
    int length = length();
    int start = advance(length);
    return new ProtoInput(bytes, start, start + length);
  }

  private ProtoException malformed(String what) {
    return new ProtoException("malformed protobuf at byte " + position + ": " + what);
  }

  private int length() {
    expect(BYTES);
    long length = varint();
    if (length < 0 || length > limit - position) {
      throw malformed("length beyond the message");
    }
    return (int) length;
  }

  /** Moves ahead and returns the former position. */
  private int advance(int length) {
    if (length > limit - position) {
      throw malformed("value beyond the message");
    }
    int start = position;
    position += length;
    return start;
  }

  private void expect(int type) {
    if (wireType != type) {
      throw malformed("wire type " + wireType + " instead of " + type + " in field " + number);
    }
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position == limit) {
        throw malformed("ends in a number");
      }
      byte next = bytes[position++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("number too long");
  }
}
