package dev.vertlet.cri.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;

/** Writes the fields of one message. */
final class ProtoOutput {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;

  private final Buffer target = Buffer.buffer();

  Buffer buffer() {
    return target;
  }

  void integer(int number, long value) {
    tag(number, VARINT);
    varint(value);
  }

  void fraction(int number, double value) {
    tag(number, FIXED64);
    target.appendLongLE(Double.doubleToLongBits(value));
  }

  void text(int number, String value) {
    data(number, Buffer.buffer(value.getBytes(UTF_8)));
  }

  void data(int number, Buffer value) {
    tag(number, BYTES);
    varint(value.length());
    target.appendBuffer(value);
  }

  /** Writes a number without its field, for a packed list. */
  void packed(long value) {
    varint(value);
  }

  private void tag(int number, int wireType) {
    varint((long) number << 3 | wireType);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      target.appendByte((byte) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    target.appendByte((byte) rest);
  }
}
