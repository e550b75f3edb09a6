package dev.vertlet.stats;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes Prometheus' text format, version 0.0.4, as Go programs do: families by name, numbers in
 * the shortest form. A family without samples is omitted.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition
 *     formats</a>
 */
final class PrometheusText {
  /** Content type of a kubelet's response. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /**
   * Exponents of ten from this one on, and below {@link #SMALLEST}, are written in scientific
   * notation, as in Go.
   */
  private static final int LARGEST = 6;

  private static final int SMALLEST = -4;

  private final Map<String, Family> families = new TreeMap<>();

  enum Type {
    COUNTER("counter"),
    GAUGE("gauge"),
    HISTOGRAM("histogram");

    private final String word;

    Type(String word) {
      this.word = word;
    }
  }

  static final class Family {
    private final String name;
    private final Type type;
    private final String help;
    private final StringBuilder samples = new StringBuilder();

    private Family(String name, Type type, String help) {
      this.name = name;
      this.type = type;
      this.help = help;
    }

    /**
     * @param at timestamp of the sample; null for none
     * @param labels alternating names and values, sorted by name
     */
    void add(double value, @Nullable Instant at, String... labels) {
      add("", value, at, labels);
    }

    /** Adds a sample of a histogram, whose name ends with {@code suffix}. */
    void add(String suffix, double value, @Nullable Instant at, String... labels) {
      samples.append(name).append(suffix);
      for (int i = 0; i < labels.length; i += 2) {
        samples.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
        escape(labels[i + 1]);
        samples.append('"');
      }
      samples.append(labels.length == 0 ? " " : "} ").append(number(value));
      if (at != null) {
        samples.append(' ').append(at.toEpochMilli());
      }
      samples.append('\n');
    }

    private void escape(String value) {
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        switch (c) {
          case '\\' -> samples.append("\\\\");
          case '"' -> samples.append("\\\"");
          case '\n' -> samples.append("\\n");
          default -> samples.append(c);
        }
      }
    }
  }

  /**
   * Returns the family of this name and creates it on first use.
   *
   * @param help one line
   */
  Family family(String name, Type type, String help) {
    return families.computeIfAbsent(name, unknown -> new Family(unknown, type, help));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (Family family : families.values()) {
      if (!family.samples.isEmpty()) {
        text.append("# HELP ").append(family.name).append(' ').append(family.help).append('\n');
        text.append("# TYPE ").append(family.name).append(' ').append(family.type.word);
        text.append('\n').append(family.samples);
      }
    }
    return text.toString();
  }

  /** Formats a number in Go's shortest form: {@code 0.25}, {@code 2.62144e+06}, {@code 1e-09}. */
  static String number(double value) {
    if (value == 0) {
      return "0";
    }
    if (!Double.isFinite(value)) {
      return Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= SMALLEST && exponent < LARGEST) {
      return decimal.toPlainString();
    }
    String mantissa = decimal.movePointLeft(exponent).toPlainString();
    int digits = Math.abs(exponent);
    return mantissa + (exponent < 0 ? "e-" : "e+") + (digits < 10 ? "0" : "") + digits;
  }
}
