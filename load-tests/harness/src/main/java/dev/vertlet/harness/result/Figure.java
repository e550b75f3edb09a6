package dev.vertlet.harness.result;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A number that people compare.
 *
 * @param group the phase it is of, or what else it belongs to
 * @param label what it is, without group and unit
 * @param unit empty for a mere count
 * @param path where {@link RunJson#figure} finds it
 * @param scale by which that has to be multiplied for the unit
 * @param better whether more of it is better, or less
 */
public record Figure(
    String group, String label, String unit, String path, double scale, Better better) {
  /** The direction in which a figure gets better. */
  public enum Better {
    MORE,
    LESS
  }

  private static final double MANY = 99.95;
  private static final double SOME = 9.995;

  /** For people: three digits or more, those that matter. */
  public String format(double value) {
    return number(value * scale);
  }

  /** How many times the base a value is; empty when there is no such number. */
  public static Optional<String> factor(OptionalDouble base, OptionalDouble value) {
    return base.isEmpty() || value.isEmpty() || base.getAsDouble() == 0
        ? Optional.empty()
        : Optional.of(
            String.format(Locale.ROOT, "%.2f×", value.getAsDouble() / base.getAsDouble()));
  }

  /** Any number for people, as {@link #format}. */
  public static String number(double value) {
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    double magnitude = Math.abs(value);
    String format = magnitude >= MANY ? "%,.0f" : magnitude >= SOME ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
