package dev.vertlet.harness.result;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Number that is compared between runs.
 *
 * @param group phase or other group of the figure
 * @param label name without group and unit
 * @param unit empty for a plain count
 * @param path path for {@link RunJson#figure}
 * @param scale factor from the value at the path to the unit
 * @param better whether more or less is better
 */
public record Figure(
    String group, String label, String unit, String path, double scale, Better better) {
  /** Direction in which a figure improves. */
  public enum Better {
    MORE,
    LESS
  }

  private static final double MANY = 99.95;
  private static final double SOME = 9.995;

  /** Formats a value for display: three digits or more, a whole number in full. */
  public String format(double value) {
    return number(value * scale);
  }

  /** Formats the ratio of a value to the base; empty when there is no such ratio. */
  public static Optional<String> factor(OptionalDouble base, OptionalDouble value) {
    return base.isEmpty() || value.isEmpty() || base.getAsDouble() == 0
        ? Optional.empty()
        : Optional.of(
            String.format(Locale.ROOT, "%.2f×", value.getAsDouble() / base.getAsDouble()));
  }

  /** Formats a number as {@link #format} does, without scaling. */
  public static String number(double value) {
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    double magnitude = Math.abs(value);
    String format = magnitude >= MANY ? "%,.0f" : magnitude >= SOME ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
