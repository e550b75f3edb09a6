package dev.vertlet.stages.template;

import dev.vertlet.stages.template.value.GoNumbers;
import dev.vertlet.stages.template.value.GoQuote;
import org.jspecify.annotations.Nullable;

/**
 * A numeric constant in each type that can hold it.
 *
 * @param text in the source
 * @param integer value as int, or null
 * @param unsigned whether an unsigned integer of 64 bits holds it
 * @param real value as float64, or null
 */
record NumberConstant(
    String text, @Nullable Long integer, boolean unsigned, @Nullable Double real) {
  private static final double TWO_TO_63 = 0x1p63;
  private static final double TWO_TO_64 = 0x1p64;

  /**
   * Reads a number.
   *
   * @throws IllegalArgumentException with Go's sentence, or for a complex number
   */
  static NumberConstant of(String text) {
    if (text.endsWith("i") && !text.startsWith("0x") && !text.startsWith("0X")) {
      throw new IllegalArgumentException("complex numbers are not supported: " + text);
    }
    Long integer = GoNumbers.parseInteger(text, 0);
    boolean unsigned = GoNumbers.parseUnsigned(text) || Long.valueOf(0).equals(integer);
    if (integer != null) {
      return new NumberConstant(text, integer, unsigned, (double) integer);
    }
    if (unsigned) {
      return new NumberConstant(text, null, true, null);
    }
    Double real = GoNumbers.parseFloat(text);
    if (real == null) {
      throw new IllegalArgumentException("illegal number syntax: " + GoQuote.quote(text));
    }
    if (text.chars().noneMatch(c -> ".eEpP".indexOf(c) >= 0)) {
      throw new IllegalArgumentException("integer overflow: " + GoQuote.quote(text));
    }
    boolean whole = real == Math.rint(real) && real < TWO_TO_63 && real >= -TWO_TO_63;
    boolean wholeUnsigned = real == Math.rint(real) && real < TWO_TO_64 && real >= 0;
    return new NumberConstant(text, whole ? (Long) real.longValue() : null, wholeUnsigned, real);
  }

  /**
   * Reads a character with its quotes.
   *
   * @throws IllegalArgumentException with Go's sentence
   */
  static NumberConstant ofCharacter(String text) {
    long character = GoQuote.unquoteCharacter(text);
    return new NumberConstant(text, character, true, (double) character);
  }

  /** Whether the constant means a float64 where any type fits. */
  boolean isFloat() {
    boolean hexadecimal =
        text.length() > 2
            && text.charAt(0) == '0'
            && (text.charAt(1) == 'x' || text.charAt(1) == 'X')
            && text.chars().noneMatch(c -> c == 'p' || c == 'P');
    return real != null
        && !hexadecimal
        && !text.startsWith("'")
        && text.chars().anyMatch(c -> ".eEpP".indexOf(c) >= 0);
  }
}
