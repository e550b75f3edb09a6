package dev.vertlet.apiserver.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Kubernetes resource quantities: what is one, sums, comparisons, and the form they are shown in.
 */
public final class Quantities {
  private static final Map<String, BigDecimal> SUFFIXES =
      Map.ofEntries(
          Map.entry("n", new BigDecimal("1e-9")),
          Map.entry("u", new BigDecimal("1e-6")),
          Map.entry("m", new BigDecimal("1e-3")),
          Map.entry("k", new BigDecimal("1e3")),
          Map.entry("M", new BigDecimal("1e6")),
          Map.entry("G", new BigDecimal("1e9")),
          Map.entry("T", new BigDecimal("1e12")),
          Map.entry("P", new BigDecimal("1e15")),
          Map.entry("E", new BigDecimal("1e18")),
          Map.entry("Ki", binary(1)),
          Map.entry("Mi", binary(2)),
          Map.entry("Gi", binary(3)),
          Map.entry("Ti", binary(4)),
          Map.entry("Pi", binary(5)),
          Map.entry("Ei", binary(6)));

  private static final Map<Integer, String> DECIMAL =
      Map.of(-9, "n", -6, "u", -3, "m", 0, "", 3, "k", 6, "M", 9, "G", 12, "T", 15, "P", 18, "E");

  private static final Pattern EXPONENT = Pattern.compile("[eE][-+]?[0-9]+");

  private static final String MALFORMED =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private Quantities() {}

  private static BigDecimal binary(int power) {
    return BigDecimal.valueOf(1024).pow(power);
  }

  /**
   * What keeps a text from being a quantity, in the words of the real server; empty when nothing
   * does.
   */
  public static String problem(String text) {
    int end = numberEnd(text);
    int tail = end;
    while (tail < text.length() && "eEinumkKMGTP".indexOf(text.charAt(tail)) >= 0) {
      tail++;
    }
    int digits = tail < text.length() && isSign(text.charAt(tail)) ? tail + 1 : tail;
    while (digits < text.length() && isDigit(text.charAt(digits))) {
      digits++;
    }
    boolean number = end > (!text.isEmpty() && isSign(text.charAt(0)) ? 1 : 0);
    if (!number || digits < text.length()) {
      return MALFORMED;
    }
    String suffix = text.substring(end);
    return suffix.isEmpty() || SUFFIXES.containsKey(suffix) || EXPONENT.matcher(suffix).matches()
        ? ""
        : "unable to parse quantity's suffix";
  }

  /** Where the number ends: a sign, digits, and one dot among or after them. */
  private static int numberEnd(String text) {
    int end = !text.isEmpty() && isSign(text.charAt(0)) ? 1 : 0;
    boolean dot = false;
    while (end < text.length()
        && (isDigit(text.charAt(end)) || (!dot && text.charAt(end) == '.'))) {
      dot |= text.charAt(end) == '.';
      end++;
    }
    return end;
  }

  private static boolean isSign(char c) {
    return c == '+' || c == '-';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  /** The value to the last digit; 0 for what is no quantity. */
  public static BigDecimal exact(JsonNode quantity) {
    String text = quantity.asText("").trim();
    if (!problem(text).isEmpty()) {
      return BigDecimal.ZERO;
    }
    int end = numberEnd(text);
    String digits = text.substring(0, end);
    boolean none = digits.chars().noneMatch(Quantities::isDigit); // a point alone is 0
    BigDecimal number = none ? BigDecimal.ZERO : new BigDecimal(digits);
    String suffix = text.substring(end);
    BigDecimal unit = SUFFIXES.get(suffix);
    if (unit != null) {
      return number.multiply(unit);
    }
    return suffix.isEmpty() ? number : number.scaleByPowerOfTen(exponent(suffix));
  }

  /** Beyond any real quantity, the real server too takes the largest. */
  private static int exponent(String suffix) {
    String digits = suffix.substring(1);
    return digits.length() > 4 ? 9999 : Integer.parseInt(digits);
  }

  /** A quantity as the real server shows it: {@code 1500m} for {@code 1.5}. */
  public static String canonical(JsonNode quantity) {
    String text = quantity.asText("").trim();
    BigDecimal value = exact(quantity);
    boolean binary = text.endsWith("i");
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal size = value.abs();
    if (binary && size.compareTo(BigDecimal.valueOf(1024)) >= 0 && isWhole(size)) {
      return largest(value, List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"));
    }
    boolean exponent = EXPONENT.matcher(text.substring(numberEnd(text))).matches();
    BigDecimal plain = value.setScale(9, RoundingMode.UP).stripTrailingZeros();
    int power = Math.max(-9, Math.floorDiv(-plain.scale(), 3) * 3);
    power = exponent ? power : Math.min(power, 18);
    String unit = exponent ? (power == 0 ? "" : "e" + power) : DECIMAL.getOrDefault(power, "");
    return plain.scaleByPowerOfTen(-power).toPlainString() + unit;
  }

  /** The sum, in the form of the first that is not 0. */
  public static JsonNode sum(JsonNode one, JsonNode other) {
    BigDecimal first = exact(one);
    BigDecimal sum = first.add(exact(other));
    String form = (first.signum() == 0 ? other : one).asText("").trim();
    String text =
        form.endsWith("i")
            ? sum.divide(BigDecimal.valueOf(1024)).toPlainString() + "Ki"
            : sum.toPlainString()
                + (EXPONENT.matcher(form.substring(numberEnd(form))).matches() ? "e0" : "");
    return TextNode.valueOf(canonical(TextNode.valueOf(text)));
  }

  /** Whether there is nothing behind the point. */
  public static boolean isWhole(BigDecimal value) {
    return value.stripTrailingZeros().scale() <= 0;
  }

  private static String largest(BigDecimal value, List<String> units) {
    BigDecimal left = value;
    int unit = 0;
    while (unit < units.size() - 1 && isWhole(left.divide(BigDecimal.valueOf(1024)))) {
      left = left.divide(BigDecimal.valueOf(1024));
      unit++;
    }
    return left.toBigInteger() + units.get(unit);
  }

  /** The value times 1,000, rounded up; 0 for what is no quantity. */
  public static long milli(JsonNode quantity) {
    return scaled(quantity, BigDecimal.valueOf(1000));
  }

  /** The value times 1,000,000,000, rounded up; 0 for what is no quantity. */
  public static long nano(JsonNode quantity) {
    return scaled(quantity, BigDecimal.valueOf(1_000_000_000));
  }

  /** The value, rounded up; 0 for what is no quantity. */
  public static long value(JsonNode quantity) {
    return scaled(quantity, BigDecimal.ONE);
  }

  /** Billionths as a quantity, in its canonical form: {@code 250m}, {@code 12345n}. */
  public static String ofNano(long billionths) {
    return shortest(billionths, 1000, List.of("n", "u", "m", ""));
  }

  /** Bytes as a quantity, in its canonical form: {@code 200Mi}, {@code 12345}. */
  public static String ofBytes(long bytes) {
    return shortest(bytes, 1024, List.of("", "Ki", "Mi", "Gi", "Ti"));
  }

  /** With the largest unit that leaves a whole number. */
  private static String shortest(long number, int step, List<String> units) {
    long left = number;
    int unit = 0;
    while (left != 0 && left % step == 0 && unit < units.size() - 1) {
      left /= step;
      unit++;
    }
    return left + (left == 0 ? "" : units.get(unit));
  }

  private static long scaled(JsonNode quantity, BigDecimal factor) {
    return exact(quantity).multiply(factor).setScale(0, RoundingMode.CEILING).min(MOST).longValue();
  }
}
