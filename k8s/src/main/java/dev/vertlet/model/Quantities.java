package dev.vertlet.model;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes quantities in their canonical form, the one the API server gives back: no fraction,
 * the largest suffix possible ({@code 3920m}, {@code 15Gi}), at most nine decimals (rounded up) and
 * at most 2^63-1.
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

  /** Nobody writes more; an exponent of a thousand digits would cost memory. */
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

  /** Like {@link #parse}, and refuses what is below zero. */
  public static Quantity parseNotNegative(String resource, String text) {
    Quantity quantity = parse(resource, text);
    if (amount(quantity).signum() < 0) {
      throw new IllegalArgumentException(
          "resource quantity for \"" + resource + "\" cannot be negative: " + quantity);
    }
    return quantity;
  }

  /** Whole units as Kubernetes writes an amount of memory or of a disk: {@code 50Mi}. */
  public static Quantity binary(long units) {
    return canonical(BigDecimal.valueOf(units), "Ki");
  }

  /** Whole units as Kubernetes writes a number of things: {@code 50k}. */
  public static Quantity decimal(long units) {
    return canonical(BigDecimal.valueOf(units), "");
  }

  /** The sum, written in the family of suffixes of {@code a}, or of {@code b} if {@code a} is 0. */
  public static Quantity add(Quantity a, Quantity b) {
    String family = (amount(a).signum() == 0 ? b : a).getFormat();
    return canonical(amount(a).add(amount(b)), family);
  }

  /** The difference, written in the family of suffixes of {@code a}. */
  public static Quantity subtract(Quantity a, Quantity b) {
    return canonical(amount(a).subtract(amount(b)), a.getFormat());
  }

  /** A part of {@code whole} in full units, rounded down as kubelets do for a percentage. */
  public static Quantity share(Quantity whole, BigDecimal part) {
    BigDecimal units = amount(whole).multiply(part).setScale(0, RoundingMode.DOWN);
    return canonical(units, whole.getFormat());
  }

  /** Negative, 0 or positive as {@code a} is less, equal or greater in value. */
  public static int compare(Quantity a, Quantity b) {
    return amount(a).compareTo(amount(b));
  }

  /** Whether a quantity is 0, however it is written. */
  public static boolean isZero(String text) {
    return amount(parse("", text)).signum() == 0;
  }

  /**
   * How many times {@code divisor} an amount is, rounded up. Both count in thousandths of cpu, and
   * in whole units of anything else, rounded up themselves.
   *
   * @param divisor not 0
   * @throws IllegalArgumentException when one is no quantity
   */
  public static BigInteger dividedUp(String resource, String amount, String divisor) {
    int scale = resource.equals("cpu") ? 3 : 0;
    BigDecimal units = rounded(resource, amount, scale);
    return units.divide(rounded(resource, divisor, scale), 0, RoundingMode.CEILING).toBigInteger();
  }

  /**
   * Thousandths, rounded up, of a quantity that the API server has checked.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static long milli(String text) {
    return scaled(text, 3);
  }

  /**
   * Billionths, rounded up, of a quantity that the API server has checked; at most 2^63-1.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static long nano(String text) {
    return scaled(text, 9);
  }

  /**
   * Whole units, rounded up, of a quantity that the API server has checked.
   *
   * @throws IllegalArgumentException when it is none
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

  /** The same value in its canonical form. */
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

  /** Exact, which {@code Quantity.getNumericalAmount()} is to 16 digits only. */
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

  /** Below 1024, or with a fraction, decimal suffixes say it better, as in Kubernetes. */
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
