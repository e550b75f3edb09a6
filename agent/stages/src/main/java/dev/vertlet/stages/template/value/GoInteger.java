package dev.vertlet.stages.template.value;

import java.util.Locale;

/**
 * An integer of another type than int.
 *
 * @param type of the integer
 * @param value its 64 bits
 */
public record GoInteger(Type type, long value) {
  /** Types of integers that functions return. */
  public enum Type {
    /** Signed, 64 bits. */
    INT64,
    /** Unsigned, 8 bits: a byte of a string. */
    UINT8,
    /** Unsigned, 64 bits. */
    UINT64;

    /** Name of the type in Go. */
    public String goName() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the type has no sign. */
    public boolean unsigned() {
      return this != INT64;
    }
  }

  /** An int64. */
  public static GoInteger int64(long value) {
    return new GoInteger(Type.INT64, value);
  }

  @Override
  public String toString() {
    return type.unsigned() ? Long.toUnsignedString(value) : Long.toString(value);
  }
}
