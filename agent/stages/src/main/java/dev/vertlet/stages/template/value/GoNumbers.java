package dev.vertlet.stages.template.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers as Go's strconv package reads and writes them. */
public final class GoNumbers {
  private static final Pattern FLOAT =
      Pattern.compile(
          "[+-]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
              + "|0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)");
  private static final BigInteger MAX_UNSIGNED =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private GoNumbers() {}

  /**
   * Reads a signed integer of 64 bits.
   *
   * @param base 2 to 36, or 0: the prefix says it, and underscores may separate digits
   * @return null if the text is none or too large
   */
  public static @Nullable Long parseInteger(String text, int base) {
    BigInteger value = parse(text, base, true);
    return value == null || value.bitLength() > 63 ? null : (Long) value.longValue();
  }

  /** Whether the text is an unsigned integer of 64 bits; the base is that of its prefix. */
  public static boolean parseUnsigned(String text) {
    BigInteger value = parse(text, 0, false);
    return value != null && value.compareTo(MAX_UNSIGNED) <= 0;
  }

  private static @Nullable BigInteger parse(String text, int base, boolean signed) {
    boolean hasSign = signed && (text.startsWith("-") || text.startsWith("+"));
    String digits = hasSign ? text.substring(1) : text;
    int radix = base;
    if (base == 0) {
      if (!underscoresSeparate(digits)) {
        return null;
      }
      radix = 10;
      if (digits.startsWith("0") && digits.length() > 1) {
        char prefix = Character.toLowerCase(digits.charAt(1));
        radix = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 8;
        digits = digits.substring(prefix == 'x' || prefix == 'b' || prefix == 'o' ? 2 : 1);
      }
      digits = digits.replace("_", "");
    }
    // as many digits as the largest number has in base 2: no quadratic work for long texts
    if (digits.isEmpty() || digits.startsWith("+") || digits.startsWith("-")) {
      return null;
    }
    if (digits.length() > 80) {
      digits = digits.replaceFirst("^0+(?=.)", "");
      if (digits.length() > 80) {
        return null;
      }
    }
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) >= 0x80 || Character.digit(digits.charAt(i), radix) < 0) {
        return null;
      }
    }
    BigInteger value = new BigInteger(digits, radix);
    return hasSign && text.startsWith("-") ? value.negate() : value;
  }

  private static boolean underscoresSeparate(String digits) {
    boolean prefixed = digits.matches("0[xXoObB].*");
    String number = prefixed ? digits.substring(2) : digits;
    return !number.endsWith("_") && !number.contains("__") && (prefixed || !number.startsWith("_"));
  }

  /** Reads a float64; null if the text is none or too large. */
  public static @Nullable Double parseFloat(String text) {
    String number = text;
    if (text.indexOf('_') >= 0) {
      if (!text.matches("[+-]?(?:0[xX]_?)?[0-9a-fA-F.pP+-]+(?:_[0-9a-fA-F.pP+-]+)*")) {
        return null;
      }
      number = text.replace("_", "");
    }
    switch (number.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity":
        return Double.POSITIVE_INFINITY;
      case "-inf", "-infinity":
        return Double.NEGATIVE_INFINITY;
      case "nan":
        return Double.NaN;
      default:
        break;
    }
    if (!FLOAT.matcher(number).matches()) {
      return null;
    }
    double value = Double.parseDouble(number);
    return Double.isInfinite(value) ? null : (Double) value;
  }

  /**
   * Writes a float64.
   *
   * @param verb one of e, E, f, g and G
   * @param precision digits after the point, for g and G all digits; -1 for the fewest that read
   *     back as the same number
   */
  public static String format(double value, char verb, int precision) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    BigDecimal exact = new BigDecimal(Math.abs(value));
    boolean shortest = precision < 0;
    return switch (verb) {
      case 'e', 'E' -> {
        BigDecimal rounded = shortest ? shortest(exact) : round(exact, precision + 1);
        yield sign + exponential(rounded, shortest ? -1 : precision, verb);
      }
      case 'f', 'F' ->
          sign
              + (shortest
                  ? shortest(exact).stripTrailingZeros().toPlainString()
                  : exact.setScale(precision, RoundingMode.HALF_EVEN).toPlainString());
      default -> {
        int digits = shortest ? 6 : Math.max(precision, 1);
        BigDecimal rounded = shortest ? shortest(exact) : round(exact, digits);
        BigDecimal stripped = rounded.stripTrailingZeros();
        int count = rounded.signum() == 0 ? 0 : stripped.precision();
        int point = rounded.signum() == 0 ? 0 : stripped.precision() - stripped.scale();
        int threshold = digits;
        if (!shortest && threshold > count && count >= point) {
          threshold = count;
        }
        int exponent = point - 1;
        yield sign
            + (exponent < -4 || exponent >= threshold
                ? exponential(stripped, -1, verb == 'G' ? 'E' : 'e')
                : plain(stripped));
      }
    };
  }

  /** Writes a float64 in hexadecimal, for example {@code 0x1.8p+01}. */
  public static String formatHexadecimal(double value, int precision) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return format(value, 'g', -1);
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    BigDecimal exact = new BigDecimal(Math.abs(value));
    if (exact.signum() == 0) {
      return sign + "0x0p+00";
    }
    int exponent = Math.getExponent(value);
    double mantissa = Math.abs(value);
    if (exponent < Double.MIN_EXPONENT) {
      exponent = Math.getExponent(mantissa * 0x1p60) - 60;
      mantissa *= 0x1p60;
      mantissa = Math.scalb(mantissa, -60 - exponent);
    } else {
      mantissa = Math.scalb(mantissa, -exponent);
    }
    if (precision >= 0 && precision < 13) {
      double steps = Math.scalb(1.0, 4 * precision);
      mantissa = Math.rint(mantissa * steps) / steps;
    }
    String digits =
        Double.toHexString(mantissa).replaceFirst("p[01]$", "").replaceFirst("\\.0$", "");
    if (precision > 0) {
      int point = digits.indexOf('.');
      int missing = precision - (point < 0 ? 0 : digits.length() - point - 1);
      digits += (point < 0 ? "." : "") + "0".repeat(Math.max(0, missing));
    }
    String sized = (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    return sign + digits + "p" + (exponent < 0 ? '-' : '+') + sized;
  }

  /**
   * Writes a float64 as its mantissa and a power of two, for example {@code 4503599627370496p-52}.
   */
  public static String formatBinary(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return format(value, 'g', -1);
    }
    long bits = Double.doubleToRawLongBits(value);
    int biased = (int) (bits >> 52) & 0x7ff;
    long fraction = bits & 0xfffffffffffffL;
    long mantissa = biased == 0 ? fraction : fraction | 1L << 52;
    int exponent = Math.max(biased, 1) - 1075;
    return (bits < 0 ? "-" : "") + mantissa + "p" + (exponent < 0 ? "" : "+") + exponent;
  }

  private static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.toPlainString();
  }

  private static BigDecimal round(BigDecimal value, int digits) {
    return value.round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }

  /** The decimal of the fewest digits that is nearest to this float64 and to no other. */
  private static BigDecimal shortest(BigDecimal exact) {
    double value = exact.doubleValue();
    for (int digits = 1; digits < 17; digits++) {
      BigDecimal candidate = round(exact, digits);
      if (candidate.doubleValue() == value) {
        return candidate;
      }
    }
    return round(exact, 17);
  }

  private static String exponential(BigDecimal value, int precision, char verb) {
    BigDecimal stripped = value.stripTrailingZeros();
    boolean zero = value.signum() == 0;
    String digits = zero ? "0" : stripped.unscaledValue().toString();
    int exponent = zero ? 0 : stripped.precision() - stripped.scale() - 1;
    StringBuilder out = new StringBuilder(digits);
    if (precision >= 0) {
      out.append("0".repeat(Math.max(0, precision + 1 - digits.length())));
    }
    if (out.length() > 1) {
      out.insert(1, '.');
    }
    return out.append(verb)
        .append(exponent < 0 ? '-' : '+')
        .append(Math.abs(exponent) < 10 ? "0" : "")
        .append(Math.abs(exponent))
        .toString();
  }
}
