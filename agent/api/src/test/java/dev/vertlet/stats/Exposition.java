package dev.vertlet.stats;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Prometheus' text format and fails for whatever is not exactly right in it: a sample outside
 * of its family, a family or a sample twice, a label twice, a bucket that falls.
 */
final class Exposition {
  private static final Pattern HEAD = Pattern.compile("# (HELP|TYPE) ([a-z_:][a-z0-9_:]*) (.+)");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_:][a-z0-9_:]*)(?:\\{(.*)\\})?"
              + " (NaN|[+-]Inf|-?[0-9]+(?:\\.[0-9]+)?(?:e[+-][0-9]{2,3})?)(?: ([0-9]+))?");
  private static final Pattern LABEL =
      Pattern.compile("([a-z_][a-z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, Double> samples = new LinkedHashMap<>();
  private final Map<String, Long> times = new HashMap<>();
  private final Set<String> helped = new HashSet<>();
  private String family = "";

  private Exposition() {}

  static Exposition of(String text) {
    if (!text.isEmpty() && !text.endsWith("\n")) {
      throw new AssertionError("no newline at the end");
    }
    Exposition read = new Exposition();
    text.lines().forEach(read::line);
    return read;
  }

  private void line(String line) {
    Matcher head = HEAD.matcher(line);
    if (head.matches()) {
      head(head.group(1), head.group(2), head.group(3));
      return;
    }
    Matcher sample = SAMPLE.matcher(line);
    if (!sample.matches()) {
      throw new AssertionError("no line of the format: " + line);
    }
    String name = sample.group(1);
    String type = types.getOrDefault(family, "");
    boolean own =
        type.equals("histogram")
            ? Set.of(family + "_bucket", family + "_sum", family + "_count").contains(name)
            : name.equals(family);
    if (!own || type.isEmpty()) {
      throw new AssertionError("outside of its family: " + line);
    }
    if (type.equals("counter") != name.endsWith("_total")) {
      throw new AssertionError("counters end in _total, and nothing else does: " + line);
    }
    String labels = sample.group(2) == null ? "" : labels(sample.group(2));
    String key = labels.isEmpty() ? name : name + "{" + labels + "}";
    if (samples.put(key, number(sample.group(3))) != null) {
      throw new AssertionError("twice: " + key);
    }
    if (sample.group(4) != null) {
      times.put(key, Long.valueOf(sample.group(4)));
    }
  }

  private void head(String what, String name, String rest) {
    if (what.equals("HELP")) {
      if (!helped.add(name)) {
        throw new AssertionError("two helps of " + name);
      }
      return;
    }
    if (!helped.contains(name)
        || types.put(name, rest) != null
        || !Set.of("counter", "gauge", "histogram").contains(rest)) {
      throw new AssertionError("type of " + name + ": " + rest);
    }
    family = name;
  }

  private static String labels(String text) {
    Set<String> names = new HashSet<>();
    Matcher label = LABEL.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!label.find() || label.start() != at || !names.add(label.group(1))) {
        throw new AssertionError("labels: " + text);
      }
      at = label.end();
    }
    if (text.endsWith(",")) {
      throw new AssertionError("labels: " + text);
    }
    return text;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** Name to type. */
  Map<String, String> types() {
    return types;
  }

  /** All samples by name and labels as they were written. */
  Map<String, Double> samples() {
    return samples;
  }

  double value(String sample) {
    return Objects.requireNonNull(samples.get(sample), () -> sample + " of " + samples.keySet());
  }

  /** Epoch milliseconds. */
  long time(String sample) {
    return Objects.requireNonNull(times.get(sample), () -> sample + " has no time");
  }

  boolean timed(String sample) {
    return times.containsKey(sample);
  }
}
