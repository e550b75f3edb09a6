package dev.vertlet.apiserver.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

/** Kubernetes resource quantities, as far as sums and comparisons need them. */
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

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private Quantities() {}

  private static BigDecimal binary(int power) {
    return BigDecimal.valueOf(1024).pow(power);
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
    String text = quantity.asText("").trim();
    int end = text.length();
    while (end > 0 && Character.isLetter(text.charAt(end - 1))) {
      end--;
    }
    String suffix = text.substring(end);
    try {
      BigDecimal number =
          suffix.isEmpty() || !SUFFIXES.containsKey(suffix)
              ? new BigDecimal(text)
              : new BigDecimal(text.substring(0, end)).multiply(SUFFIXES.get(suffix));
      return number.multiply(factor).setScale(0, RoundingMode.CEILING).min(MOST).longValue();
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
