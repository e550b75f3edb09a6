package dev.vertlet.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.Timestamps;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link ObjectReader} over the API server's protobuf.
 *
 * <p>Every step consumes at least one byte and every length is checked against the enclosing
 * message, so malformed input causes an exception, never a loop or an oversized allocation.
 */
final class ProtoReader implements ObjectReader {
  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final Fields TIMESTAMP = Fields.of("1 seconds");
  private static final Fields ENTRY = Fields.of("1 key", "2 value");
  private static final Fields QUANTITY = Fields.of("1 string");
  private static final Fields TYPE_META = Fields.of("2 kind");
  private static final Fields INT_OR_STRING = Fields.of("1 type", "2 intVal", "3 strVal");
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final byte[] bytes;
  private final Interner interner;

  /** Per open message: end of the enclosing message, and the position after the open one. */
  private final int[] outerLimit = new int[MAX_DEPTH];

  private final int[] resume = new int[MAX_DEPTH];
  private int depth;
  private int position;
  private int limit;
  private int number;
  private int wireType;
  private String field = "";

  ProtoReader(byte[] bytes, Interner interner) {
    this.bytes = bytes;
    this.interner = interner;
    this.limit = bytes.length;
  }

  @Override
  public void enterFrame() {
    open(limit);
  }

  /** Enters the object in {@code runtime.Unknown}, which in an event is inside a RawExtension. */
  @Override
  public void enterTyped(String kind) {
    if (depth == 0) {
      open(limit);
    } else {
      enterInlined(1);
    }
    magic();
    String actual = "";
    while (position < limit) {
      tag();
      if (number == 1) {
        actual = kindOf();
      } else if (number == 2) {
        narrow();
        if (!actual.equals(kind)) {
          throw malformed("not a " + kind);
        }
        return;
      } else {
        skip();
      }
    }
    throw malformed("envelope without object");
  }

  @Override
  public void enter() {
    int end = end(length());
    open(end);
  }

  @Override
  public void enterInlined(int wanted) {
    enter();
    while (position < limit) {
      tag();
      if (number == wanted) {
        narrow();
        return;
      }
      skip();
    }
  }

  @Override
  public boolean next(Fields fields) {
    while (position < limit) {
      tag();
      String name = fields.name(number);
      if (name != null) {
        field = name;
        return true;
      }
      skip();
    }
    depth--;
    position = resume[depth];
    limit = outerLimit[depth];
    return false;
  }

  @Override
  public String field() {
    return field;
  }

  @Override
  public void skip() {
    switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> position = end(8);
      case BYTES -> position = end(length());
      case FIXED32 -> position = end(4);
      default -> throw malformed("wire type " + wireType);
    }
  }

  @Override
  public String text() {
    int length = length();
    int start = position;
    position = end(length);
    return length == 0 ? "" : new String(bytes, start, length, UTF_8);
  }

  @Override
  public String shared() {
    int length = length();
    int start = position;
    position = end(length);
    return interner.string(bytes, start, length);
  }

  @Override
  public long integer() {
    expect(VARINT);
    return varint();
  }

  @Override
  public boolean flag() {
    return integer() != 0;
  }

  /** Reads a Timestamp; an empty one is Go's zero time. */
  @Override
  public @Nullable Instant time() {
    enter();
    long seconds = position == limit ? Timestamps.GO_ZERO_SECONDS : 0;
    while (next(TIMESTAMP)) {
      seconds = integer();
    }
    if (!Timestamps.inRange(seconds)) {
      throw malformed("time out of range");
    }
    return seconds == Timestamps.GO_ZERO_SECONDS ? null : Instant.ofEpochSecond(seconds);
  }

  @Override
  public void entries(Map<String, String> target) {
    entry(target, false);
  }

  @Override
  public String quantity() {
    String amount = "";
    enter();
    while (next(QUANTITY)) {
      amount = shared();
    }
    return amount;
  }

  @Override
  public void quantities(Map<String, String> target) {
    entry(target, true);
  }

  private void entry(Map<String, String> target, boolean quantity) {
    String key = "";
    String value = "";
    enter();
    while (next(ENTRY)) {
      if (number == 1) {
        key = shared();
      } else {
        value = quantity ? quantity() : shared();
      }
    }
    target.put(key, value);
  }

  @Override
  public String numberOrText() {
    boolean text = false;
    long value = 0;
    String string = "";
    enter();
    while (next(INT_OR_STRING)) {
      switch (number) {
        case 1 -> text = integer() != 0;
        case 2 -> value = integer();
        default -> string = shared();
      }
    }
    return text ? string : Long.toString(value);
  }

  @Override
  public int offset() {
    return position;
  }

  @Override
  public long hashSince(int start) {
    return SpecHash.of(bytes, start, position);
  }

  /** Does nothing: the outermost message ends with the bytes. */
  @Override
  public void end() {}

  @Override
  public DecodeException malformed(String what) {
    return new DecodeException("malformed protobuf at byte " + position + ": " + what);
  }

  @Override
  public void close() {}

  private void open(int end) {
    outerLimit[depth] = limit;
    resume[depth] = end;
    depth++;
    limit = end;
  }

  /** Narrows the open message to the current value. */
  private void narrow() {
    limit = end(length());
  }

  private void magic() {
    for (byte expected : MAGIC) {
      if (position == limit || bytes[position] != expected) {
        throw malformed("no k8s magic number");
      }
      position++;
    }
  }

  /** Reads {@code kind} of the current TypeMeta. */
  private String kindOf() {
    String kind = "";
    enter();
    while (next(TYPE_META)) {
      kind = shared();
    }
    return kind;
  }

  private void tag() {
    long tag = varint();
    if (tag >>> 32 != 0 || tag >>> 3 == 0) {
      throw malformed("tag out of range");
    }
    number = (int) (tag >>> 3);
    wireType = (int) (tag & 7);
  }

  private int length() {
    expect(BYTES);
    long length = varint();
    if (length < 0 || length > limit - position) {
      throw malformed("length beyond the message");
    }
    return (int) length;
  }

  /** Returns the position {@code length} bytes ahead, inside the open message. */
  private int end(int length) {
    if (length > limit - position) {
      throw malformed("value beyond the message");
    }
    return position + length;
  }

  private void expect(int type) {
    if (wireType != type) {
      throw malformed("wire type " + wireType + " instead of " + type);
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
