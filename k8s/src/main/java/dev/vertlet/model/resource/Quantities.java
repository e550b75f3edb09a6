package dev.vertlet.model.resource;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes quantities in their canonical form, as the API server returns them: no fraction, the
 * largest possible suffix ({@code 3920m}, {@code 15Gi}), at most nine decimals (rounded up) and at
 * most 2^63-1.
 */
public final class Quantities {
  private static final List<String> DECIMAL =
      List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
  private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

  /** Index of the suffix for 10^0 in {@link #DECIMAL}. */
  private static final int UNIT = 3;

  private static final int SCALE = 9;
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigInteger THOUSAND = BigInteger.valueOf(1000);
  private static final BigInteger KIBI = BigInteger.valueOf(1024);

  /** Maximum length: an exponent of a thousand digits would cost memory. */
  private static final int MAX_LENGTH = 64;

  private static final int MAX_SUFFIX_LENGTH = 4;

  private Quantities() {}

  /**
   * Parses {@code text}, the amount of {@code resource}.
   *
   * @throws IllegalArgumentException naming both
   */
  public static Quantity parse(String resource, String text) {
    try {
      if (text.length() <= MAX_LENGTH) {
        Quantity quantity = Quantity.parse(text);
        if (quantity.getFormat().length() <= MAX_SUFFIX_LENGTH) {
          return canonical(quantity);
        }
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw unparsable(resource, text, e);
    }
    throw unparsable(resource, text, null);
  }

  /** Parses as {@link #parse} does, and rejects values below zero. */
  public static Quantity parseNotNegative(String resource, String text) {
    Quantity quantity = parse(resource, text);
    if (amount(quantity).signum() < 0) {
      throw new IllegalArgumentException(
          "resource quantity for \"" + resource + "\" cannot be negative: " + quantity);
    }
    return quantity;
  }

  /** Formats whole units as Kubernetes does an amount of memory or disk: {@code 50Mi}. */
  public static Quantity binary(long units) {
    return canonical(BigDecimal.valueOf(units), "Ki");
  }

  /** Formats whole units as Kubernetes does a count: {@code 50k}. */
  public static Quantity decimal(long units) {
    return canonical(BigDecimal.valueOf(units), "");
  }

  /** Returns the sum, with the suffix family of {@code a}, or of {@code b} if {@code a} is 0. */
  public static Quantity add(Quantity a, Quantity b) {
    String family = (amount(a).signum() == 0 ? b : a).getFormat();
    return canonical(amount(a).add(amount(b)), family);
  }

  /** Returns the difference, with the suffix family of {@code a}. */
  public static Quantity subtract(Quantity a, Quantity b) {
    return canonical(amount(a).subtract(amount(b)), a.getFormat());
  }

  /**
   * Returns a fraction of {@code whole} in full units, rounded down as kubelets do for a
   * percentage.
   */
  public static Quantity share(Quantity whole, BigDecimal part) {
    BigDecimal units = amount(whole).multiply(part).setScale(0, RoundingMode.DOWN);
    return canonical(units, whole.getFormat());
  }

  /** Returns a negative value, 0 or a positive value if {@code a} is less, equal or greater. */
  public static int compare(Quantity a, Quantity b) {
    return amount(a).compareTo(amount(b));
  }

  /** Whether a quantity is 0 in any notation. */
  public static boolean isZero(String text) {
    return amount(parse("", text)).signum() == 0;
  }

  /**
   * Returns an amount divided by {@code divisor}, rounded up. Both are first rounded up: to
   * thousandths for cpu, to whole units for other resources.
   *
   * @param divisor not 0
   * @throws IllegalArgumentException when one is not a quantity
   */
  public static BigInteger dividedUp(String resource, String amount, String divisor) {
    int scale = resource.equals("cpu") ? 3 : 0;
    BigDecimal units = rounded(resource, amount, scale);
    return units.divide(rounded(resource, divisor, scale), 0, RoundingMode.CEILING).toBigInteger();
  }

  /**
   * Returns a quantity in thousandths, rounded up.
   *
   * @throws IllegalArgumentException when the text is not a quantity
   */
  public static long milli(String text) {
    return scaled(text, 3);
  }

  /**
   * Returns a quantity in billionths, rounded up; at most 2^63-1.
   *
   * @throws IllegalArgumentException when the text is not a quantity
   */
  public static long nano(String text) {
    return scaled(text, 9);
  }

  /**
   * Returns a quantity in whole units, rounded up.
   *
   * @throws IllegalArgumentException when the text is not a quantity
   */
  public static long units(String text) {
    return scaled(text, 0);
  }

  private static long scaled(String text, int decimals) {
    return rounded("", text, decimals).min(MAX).max(MAX.negate()).longValueExact();
  }

  private static BigDecimal rounded(String resource, String text, int decimals) {
    return amount(parse(resource, text))
        .scaleByPowerOfTen(decimals)
        .setScale(0, RoundingMode.CEILING);
  }

  /** Returns the same value in its canonical form. */
  public static Quantity canonical(Quantity quantity) {
    return canonical(amount(quantity), quantity.getFormat());
  }

  private static Quantity canonical(BigDecimal value, String family) {
    BigDecimal bounded = value.min(MAX).max(MAX.negate()).setScale(SCALE, RoundingMode.UP);
    if (exponential(family)) {
      return decimal(bounded, true);
    }
    return family.endsWith("i") ? binary(bounded) : decimal(bounded, false);
  }

  /** Returns the exact value; {@code Quantity.getNumericalAmount()} is exact to 16 digits only. */
  private static BigDecimal amount(Quantity quantity) {
    BigDecimal digits = new BigDecimal(quantity.getAmount());
    String suffix = quantity.getFormat();
    if (exponential(suffix)) {
      return digits.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
    }
    int binary = BINARY.indexOf(suffix);
    if (binary > 0) {
      return digits.multiply(new BigDecimal(KIBI.pow(binary)));
    }
    int decimal = DECIMAL.indexOf(suffix);
    if (decimal < 0) {
      throw new IllegalArgumentException("unknown suffix of a quantity: \"" + suffix + "\"");
    }
    return digits.scaleByPowerOfTen(3 * (decimal - UNIT));
  }

  private static boolean exponential(String suffix) {
    return suffix.length() > 1 && "eE".indexOf(suffix.charAt(0)) >= 0 && !suffix.equals("Ei");
  }

  private static Quantity decimal(BigDecimal value, boolean exponential) {
    BigInteger mantissa = value.unscaledValue();
    int suffix = 0;
    while (suffix < DECIMAL.size() - 1 && divisible(mantissa, THOUSAND)) {
      mantissa = mantissa.divide(THOUSAND);
      suffix++;
    }
    int exponent = 3 * (suffix - UNIT);
    String text = exponential ? (exponent == 0 ? "" : "e" + exponent) : DECIMAL.get(suffix);
    return mantissa.signum() == 0 ? new Quantity("0") : new Quantity(mantissa.toString(), text);
  }

  /**
   * Formats with a binary suffix; below 1024 or with a fraction, with a decimal one, as Kubernetes
   * does.
   */
  private static Quantity binary(BigDecimal value) {
    boolean whole = value.stripTrailingZeros().scale() <= 0;
    if (!whole || value.abs().compareTo(new BigDecimal(KIBI)) < 0) {
      return decimal(value, false);
    }
    BigInteger mantissa = value.toBigIntegerExact();
    int suffix = 0;
    while (suffix < BINARY.size() - 1 && divisible(mantissa, KIBI)) {
      mantissa = mantissa.divide(KIBI);
      suffix++;
    }
    return new Quantity(mantissa.toString(), BINARY.get(suffix));
  }

  private static boolean divisible(BigInteger value, BigInteger by) {
    return value.signum() != 0 && value.mod(by).signum() == 0;
  }

  private static IllegalArgumentException unparsable(
      String resource, String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "failed to parse quantity \"" + text + "\" for \"" + resource + "\" resource", cause);
  }
}
