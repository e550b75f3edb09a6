package dev.vertlet.stages.template.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes values by Go's verbs; the flags are those of one verb. */
final class GoPrinter {
  private final StringBuilder out;
  private Flags flags = Flags.NONE;
  private int depth;

  GoPrinter(StringBuilder out) {
    this.out = out;
  }

  /** Uses these flags from now on. */
  void flags(Flags set) {
    flags = set;
  }

  /** Writes an argument of printf; nil has verbs of its own. */
  void argument(@Nullable Object value, int verb) {
    if (verb == 'T') {
      padString(GoTypes.name(value));
    } else if (value == null && verb == 'v') {
      padString("<nil>");
    } else if (value == null) {
      out.append("%!").appendCodePoint(verb).append("(<nil>)");
    } else {
      value(value, verb);
    }
  }

  private void value(Object value, int verb) {
    switch (GoTypes.kind(value)) {
      case BOOL -> {
        if (verb == 't' || verb == 'v') {
          padString(value.toString());
        } else {
          badVerb(value, verb);
        }
      }
      case INT -> integer(value, GoTypes.integer(value), false, verb);
      case UINT -> integer(value, GoTypes.integer(value), true, verb);
      case FLOAT -> real((Double) value, verb);
      case STRING -> string(value, value.toString(), verb);
      case STRUCT -> string(value, value.toString(), verb);
      case MAP -> map((Map<?, ?>) value, verb);
      case SLICE -> list((List<?>) value, verb);
      case INVALID -> out.append("<nil>");
    }
  }

  private void badVerb(Object value, int verb) {
    out.append("%!").appendCodePoint(verb).append('(').append(GoTypes.name(value)).append('=');
    value(value, 'v');
    out.append(')');
  }

  private void element(@Nullable Object value, int verb) {
    if (value == null) {
      out.append(flags.goSyntax() ? "interface {}(nil)" : "<nil>");
      return;
    }
    if (++depth > 1000) {
      throw new FunctionException("value is nested too deeply to print");
    }
    value(value, verb);
    depth--;
  }

  private void list(List<?> list, int verb) {
    out.append(flags.goSyntax() ? GoTypes.name(list) + "{" : "[");
    Iterator<?> elements = list.iterator();
    while (elements.hasNext()) {
      element(elements.next(), verb);
      if (elements.hasNext()) {
        out.append(flags.goSyntax() ? ", " : " ");
      }
    }
    out.append(flags.goSyntax() ? '}' : ']');
  }

  private void map(Map<?, ?> map, int verb) {
    out.append(flags.goSyntax() ? GoTypes.name(map) + "{" : "map[");
    boolean first = true;
    for (Map.Entry<?, ?> entry : new TreeMap<>(map).entrySet()) {
      if (!first) {
        out.append(flags.goSyntax() ? ", " : " ");
      }
      first = false;
      element(entry.getKey(), verb);
      out.append(':');
      element(entry.getValue(), verb);
    }
    out.append(flags.goSyntax() ? '}' : ']');
  }

  private void string(Object value, String text, int verb) {
    switch (verb) {
      case 'v', 's' -> {
        if (flags.goSyntax() && verb == 'v') {
          padString(GoQuote.quote(text));
        } else {
          padString(truncate(text));
        }
      }
      case 'x' -> hexadecimal(text, "0x", "0123456789abcdef");
      case 'X' -> hexadecimal(text, "0X", "0123456789ABCDEF");
      case 'q' -> quoted(truncate(text));
      default -> badVerb(value, verb);
    }
  }

  private void quoted(String text) {
    boolean back =
        flags.sharp()
            && text.codePoints().allMatch(c -> (c >= ' ' || c == '\t') && c != '`' && c != 0x7f);
    padString(back ? "`" + text + "`" : GoQuote.quote(text, '"', flags.plus()));
  }

  private void hexadecimal(String text, String prefix, String digits) {
    byte[] bytes = text.getBytes(UTF_8);
    int length = Math.min(bytes.length, flags.precision() < 0 ? bytes.length : flags.precision());
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < length; i++) {
      if (flags.space() && i > 0) {
        hex.append(' ');
      }
      if (flags.sharp() && (flags.space() || i == 0)) {
        hex.append(prefix);
      }
      hex.append(digits.charAt(bytes[i] >> 4 & 0xf)).append(digits.charAt(bytes[i] & 0xf));
    }
    padString(hex.toString());
  }

  private void integer(Object value, long bits, boolean unsigned, int verb) {
    switch (verb) {
      case 'v' -> {
        if (flags.goSyntax() && unsigned) {
          digits("0x" + Long.toHexString(bits), false, "");
        } else {
          integer(bits, unsigned, 10, "");
        }
      }
      case 'd' -> integer(bits, unsigned, 10, "");
      case 'b' -> integer(bits, unsigned, 2, flags.sharp() ? "0b" : "");
      case 'o' -> integer(bits, unsigned, 8, flags.sharp() ? "0" : "");
      case 'O' -> integer(bits, unsigned, 8, "0o");
      case 'x', 'X' -> {
        int start = out.length();
        integer(bits, unsigned, 16, flags.sharp() ? "0x" : "");
        if (verb == 'X') {
          out.replace(start, out.length(), out.substring(start).toUpperCase(Locale.ROOT));
        }
      }
      case 'c' -> padString(character(bits));
      case 'q' -> padString(GoQuote.quote(character(bits), '\'', flags.plus()));
      case 'U' -> {
        String code = Long.toHexString(bits).toUpperCase(Locale.ROOT);
        int width = Math.max(4, flags.precision());
        String shown =
            flags.sharp()
                    && Long.compareUnsigned(bits, 0x10ffff) <= 0
                    && GoQuote.isPrint((int) bits)
                ? " '" + Character.toString((int) bits) + "'"
                : "";
        String padded = "U+" + "0".repeat(Math.max(0, width - code.length())) + code + shown;
        pad(padded, false);
      }
      default -> badVerb(value, verb);
    }
  }

  private static String character(long bits) {
    boolean valid = Long.compareUnsigned(bits, 0x10ffff) <= 0 && !(bits >= 0xd800 && bits < 0xe000);
    return Character.toString(valid ? (int) bits : 0xfffd);
  }

  private void integer(long bits, boolean unsigned, int base, String prefix) {
    boolean negative = !unsigned && bits < 0;
    String text =
        unsigned ? Long.toUnsignedString(bits, base) : Long.toString(bits, base).replace("-", "");
    digits(text, negative, prefix);
  }

  private void digits(String text, boolean negative, String prefix) {
    String sign = negative ? "-" : flags.plus() ? "+" : flags.space() ? " " : "";
    int precision = flags.precision();
    if (precision == 0 && text.equals("0")) {
      pad("", false);
      return;
    }
    if (precision < 0 && flags.zero() && !flags.minus() && flags.width() >= 0) {
      precision = flags.width() - sign.length();
    }
    String padded = "0".repeat(Math.max(0, precision - text.length())) + text;
    // an octal number that begins with a zero has its prefix
    String shown = prefix.equals("0") && padded.startsWith("0") ? "" : prefix;
    pad(sign + shown + padded, false);
  }

  private void real(double value, int verb) {
    int precision = flags.precision();
    String text =
        switch (verb) {
          case 'v' -> GoNumbers.format(value, 'g', precision);
          case 'g', 'G' -> GoNumbers.format(value, (char) verb, precision);
          case 'e', 'E', 'f' -> GoNumbers.format(value, (char) verb, precision < 0 ? 6 : precision);
          case 'F' -> GoNumbers.format(value, 'f', precision < 0 ? 6 : precision);
          case 'x' -> GoNumbers.formatHexadecimal(value, precision);
          case 'X' -> GoNumbers.formatHexadecimal(value, precision).toUpperCase(Locale.ROOT);
          case 'b' -> GoNumbers.formatBinary(value);
          default -> "";
        };
    if (text.isEmpty()) {
      badVerb(value, verb);
      return;
    }
    boolean finite = !Double.isNaN(value) && !Double.isInfinite(value);
    String sign = text.startsWith("-") || text.startsWith("+") ? text.substring(0, 1) : "+";
    String digits = text.startsWith(sign) ? text.substring(1) : text;
    if (flags.sharp() && finite && verb != 'b' && verb != 'x' && verb != 'X') {
      digits = withPoint(digits, verb, precision);
    }
    boolean signed = sign.equals("-") || flags.plus() || flags.space();
    if (sign.equals("+") && flags.space() && !flags.plus()) {
      sign = " ";
    }
    if (Double.isInfinite(value)) {
      // infinities have their sign always
      signed = true;
    }
    String shown = signed ? sign : "";
    int zeros = flags.width() - shown.length() - digits.length();
    if (finite && flags.zero() && !flags.minus() && zeros > 0) {
      out.append(shown).append("0".repeat(zeros)).append(digits);
    } else {
      pad(shown + digits, false);
    }
  }

  /** What the flag # adds: a point always, and with g the zeros at the end. */
  private static String withPoint(String digits, int verb, int precision) {
    int exponent = Math.max(digits.indexOf('e'), digits.indexOf('E'));
    String number = exponent < 0 ? digits : digits.substring(0, exponent);
    String tail = exponent < 0 ? "" : digits.substring(exponent);
    StringBuilder out = new StringBuilder(number);
    if (number.indexOf('.') < 0) {
      out.append('.');
    }
    if (verb == 'v' || verb == 'g' || verb == 'G') {
      int missing = precision < 0 ? 6 : precision;
      String significant = number.replace(".", "").replaceFirst("^0+(?=.)", "");
      missing -= significant.equals("0") ? 1 : significant.length();
      out.append("0".repeat(Math.max(0, missing)));
    }
    return out + tail;
  }

  private String truncate(String text) {
    int precision = flags.precision();
    if (precision < 0 || text.codePointCount(0, text.length()) <= precision) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, precision));
  }

  private void padString(String text) {
    pad(text, flags.zero() && !flags.minus());
  }

  private void pad(String text, boolean zeros) {
    int missing = flags.width() - text.codePointCount(0, text.length());
    String padding = (zeros ? "0" : " ").repeat(Math.max(0, missing));
    if (flags.minus()) {
      out.append(text).append(padding);
    } else {
      out.append(padding).append(text);
    }
  }

  /**
   * Flags of a verb.
   *
   * @param width in characters, -1 for none
   * @param precision -1 for none
   * @param goSyntax whether values are written as Go's source has them: {@code %#v}
   */
  record Flags(
      boolean plus,
      boolean minus,
      boolean sharp,
      boolean space,
      boolean zero,
      int width,
      int precision,
      boolean goSyntax) {
    static final Flags NONE = new Flags(false, false, false, false, false, -1, -1, false);
  }
}
